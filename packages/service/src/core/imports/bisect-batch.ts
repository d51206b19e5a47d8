import type { PipelineQueue } from "../database/pipeline-queue.js";
import { databaseTrouble } from "../database/sqlstate.js";
import { notStored } from "./judge/decision.js";
import type { Submitted } from "./read/read-records.js";
import type { Run, StoredPart } from "./run.js";
import { EncodingError } from "./write/encode.js";

/** Whether a single record caused the error, and not the service or the connection. */
export function isRecordError(error: unknown): boolean {
  return error instanceof EncodingError || databaseTrouble(error) === "refused";
}

/** Keeps earlier rows if the database rejects a row. Set after the look-ups, because a record never makes these fail. */
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
 * Halves the batch until the rejected record is alone: a logarithmic number of attempts for each. Each part is looked up
 * and judged after the parts before it are stored, so that it links only to stored entities.
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
    if (!savepoint.isSet || !isRecordError(error)) throw error;
    savepoint.rollBack();
    if (records.length === 1) {
      const problem = { err: error, position: records[0]?.position };
      run.log.error(problem, "storing a record failed");
      return { outcomes: [notStored()], bytes: 0 };
    }
  }
  const middle = Math.ceil(records.length / 2);
  const first = await bisectBatch(queue, run, records.slice(0, middle), storePart);
  const second = await bisectBatch(queue, run, records.slice(middle), storePart);
  return { outcomes: [...first.outcomes, ...second.outcomes], bytes: first.bytes + second.bytes };
}
