import type { PipelineQueue } from "../database/pipeline-queue.js";
import { databaseTrouble } from "../database/sqlstate.js";
import { unstored } from "./judge/decision.js";
import type { Submitted } from "./read/read-records.js";
import type { Run, StoredPart } from "./run.js";
import { Unencodable } from "./write/encode.js";

/** Whether an error belongs to one of the records, and not to the service or the way to its database. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Unencodable || databaseTrouble(error) === "refused";
}

/** Protects what was written before from the refusal of a row. Only rows are refused because of a record, not look-ups. */
export class Savepoint {
  readonly #queue: PipelineQueue;
  #isSet = false;

  constructor(queue: PipelineQueue) {
    this.#queue = queue;
  }

  get isSet(): boolean {
    return this.#isSet;
  }

  set(): void {
    this.#queue.add({ text: "savepoint part" });
    this.#isSet = true;
  }

  async release(): Promise<void> {
    await this.#queue.send({ text: "release savepoint part" });
  }

  rollBack(): void {
    this.#queue.add({ text: "rollback to savepoint part" }, { text: "release savepoint part" });
  }
}

/**
 * Halves the batch until the record that is refused is alone: a logarithmic number of tries for each such record. Every
 * part is looked up and judged again after the parts before it, so that it links only to what is really there.
 */
export async function bisectBatch(
  queue: PipelineQueue,
  run: Run,
  records: readonly Submitted[],
  storePart: (
    queue: PipelineQueue,
    run: Run,
    records: readonly Submitted[],
    savepoint: Savepoint,
  ) => Promise<StoredPart>,
): Promise<StoredPart> {
  const savepoint = new Savepoint(queue);
  try {
    return await storePart(queue, run, records, savepoint);
  } catch (error) {
    if (!savepoint.isSet || !isRefusal(error)) throw error;
    savepoint.rollBack();
    if (records.length === 1) {
      const problem = { err: error, position: records[0]?.position };
      const isOurs = error instanceof Unencodable;
      run.log.error(problem, isOurs ? "a record could not be encoded" : "the database refused a record");
      return { outcomes: [unstored()], bytes: 0 };
    }
  }
  const middle = Math.ceil(records.length / 2);
  const first = await bisectBatch(queue, run, records.slice(0, middle), storePart);
  const second = await bisectBatch(queue, run, records.slice(middle), storePart);
  return { outcomes: [...first.outcomes, ...second.outcomes], bytes: first.bytes + second.bytes };
}
