import type pg from "pg";
import type { Connection } from "../database/transaction.js";

export interface StoredNow {
  /** Null: not counted yet. */
  records: number | null;
  bytes: number | null;
}

/** What an organization stores, by the last count and everything that was stored and deleted since. */
export async function readStored(connection: Connection, organizationId: string): Promise<StoredNow> {
  const { rows } = await connection.query<StoredNow>(
    `select records_base + records_net as records, greatest(0, bytes_base + bytes_net) as bytes
     from import_turns where organization_id = $1`,
    [organizationId],
  );
  return rows[0] ?? { records: null, bytes: null };
}

/** Takes deleted rows out of the storage that is in use, in the transaction that deletes them. */
export async function releaseStorage(
  client: pg.ClientBase,
  organizationId: string,
  bytes: number,
): Promise<void> {
  await client.query("update import_turns set bytes_net = bytes_net - $2 where organization_id = $1", [
    organizationId,
    bytes,
  ]);
}

/**
 * Says how much an organization may store and does, if so many bytes more are too much. What it stores is known as of the last
 * count, and with what imports have added since. Undefined: there is room, or nobody has counted yet.
 */
export function lackOfStorage({ bytes: stored }: StoredNow, limit: number, more: number): string | undefined {
  if (stored === null || stored + more <= limit) return undefined;
  const [allowed, used] = [limit, stored].map((number) => number.toLocaleString("en"));
  return `The organization may store ${allowed} bytes of storage. It stores ${used}`;
}
