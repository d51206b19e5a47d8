import { isQuota, quotaNames, quotaRule, type QuotaName, type Quotas } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { Connection } from "../database/transaction.js";
import { invalidInput } from "../refusals/user-error.js";
import { mergeByName, readNumbers, showNumbers } from "./number-settings.js";
import { setting } from "./setting.js";

/** Null removes the quota. */
export type QuotaChanges = Partial<Record<QuotaName, number | null>>;

/** The storage quota of an organization. Set by an operator. */
export const quotas = setting({
  name: "quotas",
  columns: ["quotas"],
  show: (stored: Quotas | null) => mergeByName(quotaNames, stored, {}) ?? {},
  change: changedQuotas,
  readBy: ["imports", "leads"],
  option: {
    flags: "--quota <name=number...>",
    description: `how much it may store: ${quotaNames.join(", ")}; NAME=default to remove a quota`,
    example: "--quota records=1000000 --quota leadsPerDay=500",
    parse: (texts: string[]) =>
      readNumbers(texts, quotaNames, { what: "a quota", example: "records=1000000" }),
  },
  describe: showNumbers,
});

/** Null: there are no quotas. */
function changedQuotas(stored: Quotas | null, changes: QuotaChanges): Quotas | null {
  for (const name of quotaNames) {
    const limit = changes[name];
    if (limit !== undefined && limit !== null && !isQuota(name, limit))
      throw invalidInput(`The quota ${name} must be ${quotaRule(name)}; ${limit} is not`);
  }
  return mergeByName(quotaNames, stored, changes);
}

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
 * Describes quota and usage if this many more bytes exceed the quota. Usage is the last count plus what imports
 * have added since. Undefined: within the quota, or not counted yet.
 */
export function describeStorageShortage(
  { bytes: stored }: StoredNow,
  limit: number,
  more: number,
): string | undefined {
  if (stored === null || stored + more <= limit) return undefined;
  const [allowed, used] = [limit, stored].map((number) => number.toLocaleString("en"));
  return `The organization may store ${allowed} bytes of storage. It stores ${used}`;
}
