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
import { hashOfResults, readReceipt } from "./signed-receipt.js";

/** What a receipt is held against. */
export type ReceiptCheckName = "form" | "key" | "signature" | "time" | "run" | "counts" | "results";

export interface ReceiptCheck {
  name: ReceiptCheckName;
  /** Null: it cannot be told any more. */
  holds: boolean | null;
  says: string;
}

export interface ReceiptReport {
  /** Nothing that could be checked is wrong. */
  ok: boolean;
  checks: ReceiptCheck[];
  /** What it says; absent unless its signature is ours. */
  receipt?: Receipt;
  key?: Pick<ReceiptKey, "kid" | "createdAt" | "retiredAt">;
  /** The run was taken back since, which changes nothing of what was acknowledged. */
  takenBack?: { at: string; removed: number };
}

/** Holds a receipt against this installation's keys and against what is stored. It changes nothing. */
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

  const read = readReceipt(text);
  if (!read) {
    check("form", false, "This is no receipt, or not all of it, or not as it was made");
    return report();
  }
  check("form", true, "It has the form of a receipt");
  const key = (await listReceiptKeys(pool)).find(({ kid }) => kid === read.kid);
  if (!key) {
    check("key", false, "This installation has no key of the name in it, so nothing it says is proven");
    return report();
  }
  check("key", true, `It names the key ${key.kid} of this installation`);
  if (!read.isSignedWith(Buffer.from(key.x, "base64url"))) {
    check(
      "signature",
      false,
      "It was not signed with that key, or was altered since, so nothing it says is proven",
    );
    return report();
  }
  check("signature", true, "It was signed with that key and is unaltered");
  const { receipt } = read;
  const shown = { receipt, key: { kid: key.kid, ...timesOf(key) } };
  check("time", ...judgeTime(receipt, key));

  const { organizationUuid, referenceUuid } = receipt;
  const stored = isUuid(organizationUuid)
    ? await getImportRun(pool, organizationUuid, referenceUuid)
    : undefined;
  if (!stored) {
    check(
      "run",
      false,
      `The organization ${organizationUuid} has no run ${referenceUuid} any more, or never had`,
    );
    return report(shown);
  }
  check("run", true, `The organization ${organizationUuid} has the run ${referenceUuid}`);
  check("counts", ...judgeCounts(receipt, stored.run));
  const since = await findChanges(pool, organizationUuid, referenceUuid);
  check("results", ...judgeResults(receipt, stored.run, since));
  const { takenBack } = since;
  return report({ ...shown, ...(takenBack ? { takenBack } : {}) });
}

type Judgement = [holds: boolean | null, says: string];

function timesOf({ createdAt, retiredAt }: ReceiptKey): Pick<ReceiptKey, "createdAt" | "retiredAt"> {
  return { createdAt, ...(retiredAt === undefined ? {} : { retiredAt }) };
}

/** Old keys sign nothing new. Whoever has stolen one can still date a receipt back: what is stored decides then. */
function judgeTime({ completedAt }: Receipt, { createdAt, retiredAt }: ReceiptKey): Judgement {
  const at = Date.parse(completedAt);
  const isBefore = !(at >= Date.parse(createdAt) - receiptToleranceMs);
  const isAfter = retiredAt !== undefined && at > Date.parse(retiredAt) + receiptToleranceMs;
  if (isBefore) return [false, `The run ended at ${completedAt}, before the key was made at ${createdAt}`];
  if (isAfter) return [false, `The run ended at ${completedAt}, after the key was retired at ${retiredAt}`];
  return [true, `The run ended at ${completedAt}, while the key was in use`];
}

const compared = [
  ...(["resource", "status", "completedAt"] as const),
  ...(["totalSubmitted", "successCount", "failedCount", "skippedCount"] as const),
];

function judgeCounts(receipt: Receipt, run: ImportRun): Judgement {
  const other = compared.filter((name) => receipt[name] !== run[name]);
  const [acknowledged, found] = [receipt, run].map((one) =>
    other.map((name) => `${name} ${one[name]}`).join(", "),
  );
  if (other.length > 0) return [false, `Acknowledged was ${acknowledged}, but stored is ${found}`];
  const { totalSubmitted, successCount, skippedCount, failedCount } = receipt;
  return [
    true,
    `Status, time and counts are as stored: ${totalSubmitted} submitted, ${successCount} created, ${skippedCount} skipped, ${failedCount} failed`,
  ];
}

function judgeResults(receipt: Receipt, run: ImportRun, since: Changes): Judgement {
  const { failedCount, results } = run;
  if (failedCount > maxKeptFailures)
    return [
      null,
      `Cannot be told: ${failedCount} records failed, of which only the first ${maxKeptFailures} are stored. Whoever has the whole answer can check it against this receipt`,
    ];
  if (isPastItsTime(run, since))
    return [
      null,
      "Cannot be told: some of the results were deleted since, because their time was over. Whoever has the whole answer can check it against this receipt",
    ];
  return hashOfResults(results) === receipt.results
    ? [true, "The results are as stored, record by record"]
    : [false, "The results that are stored are others than the acknowledged ones"];
}

/** Whether results are missing, and no more of them than retention has deleted. */
function isPastItsTime(
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

/** What has become of a run since it was acknowledged. */
interface Changes {
  takenBack: ReceiptReport["takenBack"] | undefined;
  /** By table. */
  deletedRecords: Partial<Record<string, number>>;
  /** Whether what is kept of its records that were not created was deleted. */
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
