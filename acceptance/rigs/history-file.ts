import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Operation, RemovedRecord, Resource, StoredRecord, Undo } from "./history.js";

/** A run as the database has it. */
export interface StoredRun {
  referenceUuid: string;
  resource: Resource;
  created: number;
  skipped: number;
  failed: number;
  /** Accounts that came into being because a record of the run named them. */
  createdAccounts: number;
}

/**
 * The same history as a file, for check-history.py and for strangers. What its lines mean stands in acceptance/rigs/histories.md.
 * They are written when things happen, so the order of the lines is the order of the events, and a rig that fails
 * leaves the file behind if somebody asked for it: RIG_HISTORIES=folder.
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

  /** Before it is sent. Records may bring accounts into being that they only name. */
  invoked(operation: Operation, namedAccounts: string[]): void {
    const number = this.#numbers.size + 1;
    this.#numbers.set(operation, number);
    const { resource, keys } = operation;
    const named = namedAccounts.length > 0 ? { namedAccounts } : {};
    this.#write("invoke", { operation: number, resource, keys, ...named });
  }

  /** After it was answered, or given up. */
  ended(operation: Operation, httpStatus: number | undefined): void {
    const told = operation.run && {
      run: operation.run.referenceUuid,
      results: operation.run.results.map(({ reference, status, uuid }) => [reference, status, uuid ?? null]),
    };
    const number = this.#numbers.get(operation);
    this.#write(operation.end, { operation: number, httpStatus: httpStatus ?? null, ...told });
  }

  /** Before a run is asked to be taken back. */
  undoAsked(undo: Undo): void {
    const number = this.#numbers.size + 1;
    this.#numbers.set(undo, number);
    this.#write("undo", { operation: number, run: undo.run });
  }

  /** After it was answered, or given up. */
  undoEnded(undo: Undo, httpStatus: number | undefined): void {
    const number = this.#numbers.get(undo);
    this.#write("undo-ended", { operation: number, end: undo.end, httpStatus: httpStatus ?? null });
  }

  fault(name: string, phase: "begin" | "end"): void {
    this.#write("fault", { name, phase });
  }

  /** What the database holds, read while nobody imports. */
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

  /** What history.ts found. It ends the file; a file without it is of a rig that did not come to its end. */
  verdict(contradictions: string[]): void {
    this.#write("verdict", { contradictions });
  }

  /** Packs what somebody asked for, and removes what nobody did. */
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
