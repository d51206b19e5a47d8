import { indexes, locationIndex, type Index } from "./indexes.js";

/** A stored record of the resource that is imported. */
export interface StoredRecord {
  id: string;
  fingerprint: string | null;
  /** Retention has deleted the record, and only its key is stored. */
  isDeleted?: true;
  /** Position of the record in this batch that creates it; undefined if it was stored before. */
  madeBy: number | undefined;
}

/** The stored entities that the records may refer to, and those that earlier records of the batch create. */
export class LookupResult {
  /** Records of the imported resource, by dedup key. */
  readonly records = new Map<string, StoredRecord>();
  /** Entities by index and key. Those that this batch creates are not found by id, which is not known to the sender yet. */
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
