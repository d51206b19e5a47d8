import type { ImportResourceName, RecordResult } from "@gatehouse-parking/contract";
import { FileFindings } from "@gatehouse-parking/record-files";
import { importBatch, keepPace, validateBatch } from "../import-batches.js";
import { ReasonCode, resources } from "../contract.js";
import { outcomeOf } from "../outcomes.js";
import type { Connection } from "../request.js";
import { wait } from "../retry.js";
import type { KeptReceipt } from "./output/receipt-file.js";
import { checkOffline, checkRepetition, type OfflineOutcome } from "./offline-check.js";

/** Decides the outcome of a batch: the service, the service's validation, or the offline check. */
export interface Sender {
  mode: "import" | "validate-only" | "dry-run";
  /** Receives the valid records of a dry run. */
  findings?: FileFindings;
  /** Waits until the rate limit allows a request. */
  ready(): Promise<void>;
  send(records: readonly SentRecord[]): Promise<Answer>;
  /** Requests per minute, if known. */
  limit(): number | undefined;
}

/** A record and the line of its row. */
export interface SentRecord {
  text: string;
  line: number;
}

export interface Answer {
  /** The outcome of each record and the import that decided it. */
  results: { outcome: OfflineOutcome; referenceUuid: string | undefined }[];
  requests: number;
  /** The receipts of the responses, if the service issues them. */
  receipts: KeptReceipt[];
}

export function offlineSender(resource: ImportResourceName): Sender {
  const findings = new FileFindings({ comparesIds: false });
  const check = (record: SentRecord) =>
    checkRepetition(resource, record, checkOffline(resource, record.text), findings);
  return {
    mode: "dry-run",
    findings,
    ready: async () => {},
    send: async (records) => ({
      results: records.map((record) => ({ outcome: check(record), referenceUuid: undefined })),
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
    async send(records) {
      const texts = records.map(({ text }) => text);
      if (mode === "validate-only") {
        const report = await validateBatch(connection, { ...request, texts });
        return {
          results: report.results.map((result) => ({ outcome: outcomeOf(result), referenceUuid: undefined })),
          requests: 1,
          receipts: [],
        };
      }
      const receipts: KeptReceipt[] = [];
      const importOnce = async (some: readonly string[]): Promise<DecidedRecord[]> => {
        const { receipt, ...answer } = await importBatch(connection, { ...request, texts: some });
        if (receipt !== undefined) receipts.push({ receipt, answer });
        const { results, referenceUuid } = answer;
        return results.map((result) => ({ result, referenceUuid }));
      };
      const { decided, requests } = await importUntilDecided(texts, importOnce, async (failures) => {
        const durationMs = connection.retry.firstPauseMs * 2 ** failures;
        const error = new Error(
          `some records failed with an internal error (${ReasonCode.InternalError}) and are resent`,
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
    limit: () => connection.rateLimitOf(operation).limit,
  };
}

interface DecidedRecord {
  result: RecordResult;
  referenceUuid: string;
}

/** How often records that failed with InternalError are resent. */
const maxResends = 3;

/** InternalError says nothing about the record itself, so exactly those records are resent a few times. */
async function importUntilDecided(
  texts: readonly string[],
  importOnce: (texts: readonly string[]) => Promise<DecidedRecord[]>,
  pause: (failures: number) => Promise<void>,
): Promise<{ decided: DecidedRecord[]; requests: number }> {
  const decided = await importOnce(texts);
  let requests = 1;
  for (let failures = 0; failures < maxResends; failures += 1) {
    const open = [...decided.keys()].filter(
      (at) => decided[at]?.result.reasonCode === ReasonCode.InternalError,
    );
    if (open.length === 0) break;
    try {
      await pause(failures);
      const again = await importOnce(open.map((at) => texts[at] as string));
      requests += 1;
      for (const [position, at] of open.entries()) decided[at] = again[position] as DecidedRecord;
    } catch {
      // Record what is known. If the service is unreachable, the next batch reports it.
      break;
    }
  }
  return { decided, requests };
}
