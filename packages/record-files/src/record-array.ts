import { arraysIn, itemsIn, type FoundArray } from "./json-arrays.js";
import { PieceReader } from "./json-pieces.js";
import { InputError, inputError, type ReadingFact } from "./refusals.js";
import type { ReadScheduler } from "./scheduler.js";

/**
 * The array of records inside an object: the one that is named like the resource, or else the only array of
 * objects. It is never chosen by its position or size.
 */
export class RecordArray {
  readonly resource: string;
  #chosen: FoundArray | undefined;
  #isFound = false;

  constructor(resource: string) {
    this.resource = resource;
  }

  get isFound(): boolean {
    return this.#isFound;
  }

  /** Chooses the array from the beginning of the text, if it shows one. */
  async choose(sample: string, scheduler: ReadScheduler): Promise<void> {
    const arrays = new Map<string, FoundArray>();
    for (const array of await arraysInSample(sample, scheduler)) {
      if (this.#isRequestBody(array)) {
        this.#chosen = array;
        return;
      }
      if (array.holdsObjects) arrays.set(pathText(array), array);
    }
    const candidates = [...arrays.values()];
    const [named, otherNamed] = candidates.filter((array) => this.#isNamed(array));
    if (named && !otherNamed) this.#chosen = named;
    else if (candidates.length > 1) throw this.#severalArrays(candidates);
    else [this.#chosen] = candidates;
  }

  /** Whether the records are in this array. Refuses an array that the sample did not show and that may be meant too. */
  isWanted(array: FoundArray): boolean {
    if (array.holdsObjects || this.#isRequestBody(array)) this.#chosen ??= array;
    const chosen = this.#chosen;
    if (chosen === undefined) return false;
    if (pathText(array) === pathText(chosen)) {
      this.#isFound = true;
      return true;
    }
    if (array.holdsObjects && !this.#isNamed(chosen)) throw this.#severalArrays([chosen, array]);
    return false;
  }

  facts(): ReadingFact[] {
    const chosen = this.#chosen;
    if (chosen === undefined || this.#isRequestBody(chosen)) return [];
    return [{ code: "recordArray", data: { path: pathText(chosen) } }];
  }

  /** The body of a request has the array at its first level; it may be empty. */
  #isRequestBody({ path }: FoundArray): boolean {
    return path.length === 1 && path[0] === this.resource;
  }

  #isNamed({ path }: FoundArray): boolean {
    return path.at(-1)?.toLowerCase() === this.resource.toLowerCase();
  }

  #severalArrays(arrays: readonly FoundArray[]): InputError {
    return inputError(1, "severalArrays", { names: arrays.map(pathText), name: this.resource });
  }
}

function pathText({ path }: FoundArray): string {
  return path.join(".");
}

/** The sample may end anywhere, and what is malformed is reported when the rows are read. */
async function arraysInSample(sample: string, scheduler: ReadScheduler): Promise<FoundArray[]> {
  async function* pieces(): AsyncGenerator<string> {
    yield sample;
  }
  const reader = new PieceReader(pieces(), scheduler);
  await reader.skipSpace();
  const found: FoundArray[] = [];
  try {
    for await (const array of arraysIn(reader)) {
      found.push(array);
      for await (const _item of itemsIn(reader));
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
  }
  return found;
}
