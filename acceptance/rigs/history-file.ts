import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Operation, RemovedRecord, Resource, StoredRecord, Undo } from "./history.js";

/** A run in the database. */
export interface StoredRun {
  referenceUuid: string;
  resource: Resource;
  created: number;
  skipped: number;
  failed: number;
  /** Accounts that were created because a record of the run named them. */
  createdAccounts: number;
}

/**
 * Writes the history to a file, for check-history.py and other readers. acceptance/rigs/histories.md
 * describes its lines. They are written when the events happen, so their order is the order of the events. If
 * RIG_HISTORIES names a folder, the file of a failed rig remains there.
 */
export class HistoryFile {
  readonly path: string;
  readonly #begunMs = performance.now();
  readonly #numbers = new Map<Operation | Undo, number>();
  readonly #temporary: string | undefined;

  constructor(rig: string, seed: number) {
    const kept = process.env["RIG_HISTORIES"];
    if (kept) mkdirSync(kept, { recursive: true });
    else this.#temporary = mkdtempSync(path.join(tmpdir(), "gatehouse-history-"));
    this.path = path.join(kept ?? (this.#temporary as string), `${rig}-${seed}.ndjson`);
    writeFileSync(this.path, "");
    this.#write("history", { version: 2, rig, seed, on: new Date().toISOString() });
  }

  /** Before the request is sent. Records may create accounts that they only name. */
  invoked(operation: Operation, namedAccounts: string[]): void {
    const number = this.#numbers.size + 1;
    this.#numbers.set(operation, number);
    const { resource, keys } = operation;
    const named = namedAccounts.length > 0 ? { namedAccounts } : {};
    this.#write("invoke", { operation: number, resource, keys, ...named });
  }

  /** After it was answered or given up. */
  ended(operation: Operation, httpStatus: number | undefined): void {
    const told = operation.run && {
      run: operation.run.referenceUuid,
      results: operation.run.results.map(({ reference, status, uuid }) => [reference, status, uuid ?? null]),
    };
    const number = this.#numbers.get(operation);
    this.#write(operation.end, { operation: number, httpStatus: httpStatus ?? null, ...told });
  }

  /** Before the request to undo a run is sent. */
  undoAsked(undo: Undo): void {
    const number = this.#numbers.size + 1;
    this.#numbers.set(undo, number);
    this.#write("undo", { operation: number, run: undo.run });
  }

  /** After it was answered or given up. */
  undoEnded(undo: Undo, httpStatus: number | undefined): void {
    const number = this.#numbers.get(undo);
    this.#write("undo-ended", { operation: number, end: undo.end, httpStatus: httpStatus ?? null });
  }

  fault(name: string, phase: "begin" | "end"): void {
    this.#write("fault", { name, phase });
  }

  /** The content of the database, read while no client imports. */
  reading(
    stored: Record<Resource, StoredRecord[]>,
    removed: Record<Resource, RemovedRecord[]>,
    runs: StoredRun[],
  ): void {
    const pairs = (records: StoredRecord[]): string[][] => records.map(({ key, uuid }) => [key, uuid]);
    const triples = (records: RemovedRecord[]): string[][] =>
      records.map(({ key, uuid, run }) => [key, uuid, run]);
    this.#write("reading", {
      transactions: pairs(stored.transactions),
      accounts: pairs(stored.accounts),
      removedTransactions: triples(removed.transactions),
      removedAccounts: triples(removed.accounts),
      runs,
    });
  }

  /** The result of history.ts, as the last line. A file without it is from a rig that did not finish. */
  verdict(contradictions: string[]): void {
    this.#write("verdict", { contradictions });
  }

  /** Compresses the file if it was requested, and removes it otherwise. */
  close(): void {
    if (this.#temporary) rmSync(this.#temporary, { recursive: true, force: true });
    else {
      writeFileSync(`${this.path}.gz`, gzipSync(readFileSync(this.path)));
      rmSync(this.path);
    }
  }

  #write(type: string, facts: object): void {
    const atMs = Math.round(performance.now() - this.#begunMs);
    appendFileSync(this.path, `${JSON.stringify({ type, atMs, ...facts })}\n`);
  }
}
