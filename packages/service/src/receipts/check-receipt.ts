import {
  isUuid,
  maxKeptFailures,
  receiptToleranceMs,
  type ImportRun,
  type Receipt,
  type ReceiptKey,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import { getImportRun } from "../imports/history.js";
import { listReceiptKeys } from "./receipt-keys.js";
import { hashOfResults } from "./results-hash.js";
import { readReceipt } from "./signed-receipt.js";

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
  check("results", ...judgeResults(receipt, stored.run));
  const takenBack = await findTakenBack(pool, organizationUuid, referenceUuid);
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

function judgeResults(receipt: Receipt, run: ImportRun): Judgement {
  const { failedCount, results } = run;
  if (failedCount > maxKeptFailures)
    return [
      null,
      `Cannot be told: ${failedCount} records failed, of which only the first ${maxKeptFailures} are stored. Whoever has the whole answer can check it against this receipt`,
    ];
  return hashOfResults(results) === receipt.results
    ? [true, "The results are as stored, record by record"]
    : [false, "The results that are stored are others than the acknowledged ones"];
}

async function findTakenBack(
  pool: pg.Pool,
  organizationId: string,
  runId: string,
): Promise<ReceiptReport["takenBack"] | undefined> {
  const { rows } = await pool.query<{ at: Date; removed: number }>(
    `select undone_at as at, undone_count as removed from import_runs
     where organization_id = $1 and id = $2 and undone_at is not null`,
    [organizationId, runId],
  );
  const [undone] = rows;
  return undone && { at: undone.at.toISOString(), removed: undone.removed };
}
