import { indexes, locationIndex, type Index } from "./indexes.js";

/** A stored record of the resource that is imported. */
export interface StoredRecord {
  id: string;
  fingerprint: string | null;
  /** It was stored, and deleted because its time was over; only its key is known. */
  isDeleted?: true;
  /** Position of the record in this batch that made it; undefined if it was there before. */
  madeBy: number | undefined;
}

/**
 * What the import knows of the organization while it judges: the entities that its records may refer to, as they were
 * looked up, and those that earlier records of the batch make.
 */
export class LookupResult {
  /** Records of the imported resource, by dedup key. */
  readonly records = new Map<string, StoredRecord>();
  /**
   * Entities by what they can be named or matched by. An entity that this batch makes is not found by its id, which
   * nobody can know yet.
   */
  readonly #found: Map<string, string>[] = indexes.map(() => new Map<string, string>());

  find(index: Index, key: string): string | undefined {
    return this.#found[index.number]?.get(key);
  }

  add(index: Index, key: string, value: string): void {
    this.#found[index.number]?.set(key, value);
  }

  /** The time zone of one of the organization's locations. */
  timeZoneOf(locationId: string): string | undefined {
    return this.find(locationIndex, locationId);
  }
}
