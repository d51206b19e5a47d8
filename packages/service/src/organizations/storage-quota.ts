import type { Connection } from "../database/transaction.js";

/**
 * Says how much an organization may store and does, if so many bytes more are too much. What it stores is known as of the last
 * count, and with what imports have added since. Undefined: there is room, or nobody has counted yet.
 */
export async function lackOfStorage(
  connection: Connection,
  { organizationId, limit, more }: { organizationId: string; limit: number; more: number },
): Promise<string | undefined> {
  const { rows } = await connection.query<{ bytes: number | null }>(
    "select bytes_base + bytes_net as bytes from import_turns where organization_id = $1",
    [organizationId],
  );
  const stored = rows[0]?.bytes ?? null;
  if (stored === null || stored + more <= limit) return undefined;
  const [allowed, used] = [limit, stored].map((number) => number.toLocaleString("en"));
  return `The organization may store ${allowed} bytes of storage. It stores ${used}`;
}
