import type { ImportResourceName } from "@gatehouse-parking/contract";
import { importBatch, keepPace, validateBatch } from "../import-batches.js";
import { resources } from "../interface.js";
import { outcomeOf } from "../outcomes.js";
import type { Connection } from "../request.js";
import { checkOffline, type OfflineOutcome } from "./offline-check.js";

/** Whatever decides about a batch: the service, the service without storing anything, or the checker right here. */
export interface Sender {
  mode: "import" | "validate-only" | "dry-run";
  /** Waits until the rate limit has room for a request. */
  ready(): Promise<void>;
  send(texts: readonly string[]): Promise<{ outcomes: OfflineOutcome[]; referenceUuid: string | undefined }>;
  /** How many requests a minute are allowed, if that is known. */
  limit(): number | undefined;
}

export function offlineSender(resource: ImportResourceName): Sender {
  return {
    mode: "dry-run",
    ready: async () => {},
    send: async (texts) => ({
      outcomes: texts.map((text) => checkOffline(resource, text)),
      referenceUuid: undefined,
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
  return {
    mode,
    ready: () => keepPace(connection, operation, options.stop),
    async send(texts) {
      if (mode === "validate-only") {
        const report = await validateBatch(connection, { ...request, texts });
        return { outcomes: report.results.map(outcomeOf), referenceUuid: undefined };
      }
      const run = await importBatch(connection, { ...request, texts });
      return { outcomes: run.results.map(outcomeOf), referenceUuid: run.referenceUuid };
    },
    limit: () => connection.budgetOf(operation).limit,
  };
}
