import type { ImportResourceName, RecordResult } from "@gatehouse-parking/contract";
import { importBatch, keepPace, validateBatch } from "../import-batches.js";
import { ReasonCode, resources } from "../contract.js";
import { outcomeOf } from "../outcomes.js";
import type { Connection } from "../request.js";
import { wait } from "../retry.js";
import type { KeptReceipt } from "./output/receipt-file.js";
import { checkOffline, type OfflineOutcome } from "./offline-check.js";

/** Whatever decides about a batch: the service, the service without storing anything, or the checker right here. */
export interface Sender {
  mode: "import" | "validate-only" | "dry-run";
  /** Waits until the rate limit has room for a request. */
  ready(): Promise<void>;
  send(texts: readonly string[]): Promise<Answer>;
  /** How many requests a minute are allowed, if that is known. */
  limit(): number | undefined;
}

export interface Answer {
  /** What became of each record, and the run that decided it. */
  results: { outcome: OfflineOutcome; referenceUuid: string | undefined }[];
  requests: number;
  /** What the service has signed of it, if it gives receipts. */
  receipts: KeptReceipt[];
}

export function offlineSender(resource: ImportResourceName): Sender {
  return {
    mode: "dry-run",
    ready: async () => {},
    send: async (texts) => ({
      results: texts.map((text) => ({ outcome: checkOffline(resource, text), referenceUuid: undefined })),
      requests: 1,
      receipts: [],
    }),
    limit: () => undefined,
  };
}

export function serviceSender(
  mode: "import" | "validate-only",
  connection: Connection,
  resource: ImportResourceName,
  options: { metadata: string; stop: AbortSignal },
): Sender {
  const operation = resources[resource][mode === "import" ? "importOperation" : "validateOperation"];
  const request = { resource, ...options };
  const ready = () => keepPace(connection, operation, options.stop);
  return {
    mode,
    ready,
    async send(texts) {
      if (mode === "validate-only") {
        const report = await validateBatch(connection, { ...request, texts });
        return {
          results: report.results.map((result) => ({ outcome: outcomeOf(result), referenceUuid: undefined })),
          requests: 1,
          receipts: [],
        };
      }
      const receipts: KeptReceipt[] = [];
      const importOnce = async (some: readonly string[]): Promise<Decided[]> => {
        const { receipt, ...answer } = await importBatch(connection, { ...request, texts: some });
        if (receipt !== undefined) receipts.push({ receipt, answer });
        const { results, referenceUuid } = answer;
        return results.map((result) => ({ result, referenceUuid }));
      };
      const { decided, requests } = await importUntilDecided(texts, importOnce, async (failures) => {
        const durationMs = connection.retry.firstPauseMs * 2 ** failures;
        const error = new Error(
          `the service failed on some records (${ReasonCode.InternalError}), which are sent again`,
        );
        connection.onPause({ reason: "retry", durationMs, operation, error });
        await wait(durationMs, options.stop);
        await ready();
      });
      const results = decided.map(({ result, referenceUuid }) => ({
        outcome: outcomeOf(result),
        referenceUuid,
      }));
      return { results, requests, receipts };
    },
    limit: () => connection.budgetOf(operation).limit,
  };
}

interface Decided {
  result: RecordResult;
  referenceUuid: string;
}

/** How often records that the service failed on are sent again. */
const maxRepetitions = 3;

/** An internal error says nothing about the record, so exactly those records are sent again, a few times. */
async function importUntilDecided(
  texts: readonly string[],
  importOnce: (texts: readonly string[]) => Promise<Decided[]>,
  pause: (failures: number) => Promise<void>,
): Promise<{ decided: Decided[]; requests: number }> {
  const decided = await importOnce(texts);
  let requests = 1;
  for (let failures = 0; failures < maxRepetitions; failures += 1) {
    const open = [...decided.keys()].filter(
      (at) => decided[at]?.result.reasonCode === ReasonCode.InternalError,
    );
    if (open.length === 0) break;
    try {
      await pause(failures);
      const again = await importOnce(open.map((at) => texts[at] as string));
      requests += 1;
      for (const [position, at] of open.entries()) decided[at] = again[position] as Decided;
    } catch {
      // What is known of the batch is written down; if the service is gone, the next batch meets that.
      break;
    }
  }
  return { decided, requests };
}
