import {
  isUuid,
  maxKeptFailures,
  receiptToleranceMs,
  RecordStatus,
  type ImportRun,
  type Receipt,
  type ReceiptKey,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import { getImportRun } from "../../core/imports/history.js";
import { resources } from "../../core/imports/resources.js";
import { listReceiptKeys } from "./receipt-keys.js";
import { hashOfResults, parseReceipt } from "./signed-receipt.js";

export type ReceiptCheckName = "form" | "key" | "signature" | "time" | "run" | "counts" | "results";

export interface ReceiptCheck {
  name: ReceiptCheckName;
  /** Null: it can no longer be checked. */
  holds: boolean | null;
  says: string;
}

export interface ReceiptReport {
  /** Whether all checks passed. */
  ok: boolean;
  checks: ReceiptCheck[];
  /** Absent unless the signature is valid. */
  receipt?: Receipt;
  key?: Pick<ReceiptKey, "kid" | "createdAt" | "retiredAt">;
  /** The import was undone later. The receipt still proves what was acknowledged. */
  takenBack?: { at: string; removed: number };
}

/** Checks a receipt against the keys of this installation and against stored data. It only reads. */
export async function checkReceipt(pool: pg.Pool, text: string): Promise<ReceiptReport> {
  const checks: ReceiptCheck[] = [];
  const check = (name: ReceiptCheckName, holds: boolean | null, says: string): boolean => {
    checks.push({ name, holds, says });
    return holds !== false;
  };
  const report = (more: Omit<ReceiptReport, "ok" | "checks"> = {}): ReceiptReport => ({
    ok: checks.every(({ holds }) => holds !== false),
    checks,
    ...more,
  });

  const read = parseReceipt(text);
  if (!read) {
    check("form", false, "This is not a receipt, or it is incomplete or altered");
    return report();
  }
  check("form", true, "It is a well-formed receipt");
  const key = (await listReceiptKeys(pool)).find(({ kid }) => kid === read.kid);
  if (!key) {
    check(
      "key",
      false,
      "This installation does not have the key that the receipt names, so the receipt proves nothing",
    );
    return report();
  }
  check("key", true, `It names the key ${key.kid} of this installation`);
  if (!read.isSignedWith(Buffer.from(key.x, "base64url"))) {
    check("signature", false, "It was not signed with that key, or it was altered, so it proves nothing");
    return report();
  }
  check("signature", true, "It was signed with that key and is unaltered");
  const { receipt } = read;
  const shown = { receipt, key: { kid: key.kid, ...timesOf(key) } };
  check("time", ...checkTime(receipt, key));

  const { organizationUuid, referenceUuid } = receipt;
  const stored = isUuid(organizationUuid)
    ? await getImportRun(pool, organizationUuid, referenceUuid)
    : undefined;
  if (!stored) {
    check("run", false, `The organization ${organizationUuid} does not have the import ${referenceUuid}`);
    return report(shown);
  }
  check("run", true, `The organization ${organizationUuid} has the import ${referenceUuid}`);
  check("counts", ...checkCounts(receipt, stored.run));
  const since = await findChanges(pool, organizationUuid, referenceUuid);
  check("results", ...checkResults(receipt, stored.run, since));
  const { takenBack } = since;
  return report({ ...shown, ...(takenBack ? { takenBack } : {}) });
}

type CheckResult = [holds: boolean | null, says: string];

function timesOf({ createdAt, retiredAt }: ReceiptKey): Pick<ReceiptKey, "createdAt" | "retiredAt"> {
  return { createdAt, ...(retiredAt === undefined ? {} : { retiredAt }) };
}

/**
 * A retired key must not sign new imports. A thief of such a key can still backdate a receipt, but the stored
 * import disproves it.
 */
function checkTime({ completedAt }: Receipt, { createdAt, retiredAt }: ReceiptKey): CheckResult {
  const at = Date.parse(completedAt);
  const isBefore = !(at >= Date.parse(createdAt) - receiptToleranceMs);
  const isAfter = retiredAt !== undefined && at > Date.parse(retiredAt) + receiptToleranceMs;
  if (isBefore)
    return [false, `The import ended at ${completedAt}, before the key was created at ${createdAt}`];
  if (isAfter)
    return [false, `The import ended at ${completedAt}, after the key was retired at ${retiredAt}`];
  return [true, `The import ended at ${completedAt}, while the key was in use`];
}

const compared = [
  ...(["resource", "status", "completedAt"] as const),
  ...(["totalSubmitted", "successCount", "failedCount", "skippedCount"] as const),
];

function checkCounts(receipt: Receipt, run: ImportRun): CheckResult {
  const other = compared.filter((name) => receipt[name] !== run[name]);
  const [acknowledged, found] = [receipt, run].map((one) =>
    other.map((name) => `${name} ${one[name]}`).join(", "),
  );
  if (other.length > 0)
    return [false, `The receipt says ${acknowledged}, but the stored import has ${found}`];
  const { totalSubmitted, successCount, skippedCount, failedCount } = receipt;
  return [
    true,
    `Status, time and counts match the stored import: ${totalSubmitted} submitted, ${successCount} created, ${skippedCount} skipped, ${failedCount} failed`,
  ];
}

function checkResults(receipt: Receipt, run: ImportRun, since: Changes): CheckResult {
  const { failedCount, results } = run;
  if (failedCount > maxKeptFailures)
    return [
      null,
      `Cannot be checked: ${failedCount} records failed, and only the first ${maxKeptFailures} of them are stored. The complete answer can be checked against this receipt`,
    ];
  if (isExplainedByRetention(run, since))
    return [
      null,
      "Cannot be checked: retention has deleted some of the results. The complete answer can be checked against this receipt",
    ];
  return hashOfResults(results) === receipt.results
    ? [true, "The results match the stored ones, record by record"]
    : [false, "The results differ from the stored ones"];
}

/** Whether results are missing, but no more of them than retention has deleted. */
function isExplainedByRetention(
  { resource, successCount, skippedCount, failedCount, results }: ImportRun,
  { deletedRecords, hasLostExceptions }: Changes,
): boolean {
  const created = results.filter(({ status }) => status === RecordStatus.Created).length;
  const missing = successCount - created;
  const missingExceptions = skippedCount + failedCount - (results.length - created);
  const table = resources.find(({ number }) => number === resource)?.name ?? "";
  const mayBeMissing = missing <= (deletedRecords[table] ?? 0);
  return missing + missingExceptions > 0 && mayBeMissing && (missingExceptions === 0 || hasLostExceptions);
}

/** Changes to an import after it was acknowledged. */
interface Changes {
  takenBack: ReceiptReport["takenBack"] | undefined;
  /** The number of rows by table. */
  deletedRecords: Partial<Record<string, number>>;
  /** Whether its exceptions were deleted. */
  hasLostExceptions: boolean;
}

interface ChangesRow {
  undone_at: Date | null;
  undone_count: number;
  deleted_records: Changes["deletedRecords"] | null;
  exceptions_deleted_at: Date | null;
}

async function findChanges(pool: pg.Pool, organizationId: string, runId: string): Promise<Changes> {
  const { rows } = await pool.query<ChangesRow>(
    `select undone_at, undone_count, deleted_records, exceptions_deleted_at from import_runs
     where organization_id = $1 and id = $2`,
    [organizationId, runId],
  );
  const [run] = rows;
  return {
    takenBack: run?.undone_at ? { at: run.undone_at.toISOString(), removed: run.undone_count } : undefined,
    deletedRecords: run?.deleted_records ?? {},
    hasLostExceptions: Boolean(run?.exceptions_deleted_at),
  };
}
