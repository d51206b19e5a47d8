/**
 * What the import knows of the organization while it decides: the entities that its records may refer to, as they
 * were looked up, and those that earlier records of the batch have made. All additions can be taken back, because a
 * record that the database refuses must leave nothing that a later record could link to.
 */
export interface StoredRecord {
  id: string;
  fingerprint: string | null;
  /** Position of the record in this batch that made it; undefined if it was there before. */
  madeBy: number | undefined;
}

export class World {
  /** Records of the imported resource, by dedup key. */
  readonly records = new Map<string, StoredRecord>();
  /** Zones of the organization's locations. */
  readonly locations = new Map<string, string>();
  /**
   * Entities by what they can be named or matched by; the value is always the id. An entity that this batch makes is
   * not found by its id, which nobody can know yet.
   */
  readonly accountsById = new Map<string, string>();
  readonly accountsByReference = new Map<string, string>();
  readonly contactsById = new Map<string, string>();
  readonly contactsByEmail = new Map<string, string>();
  readonly contactsByPhone = new Map<string, string>();
  readonly vehiclesById = new Map<string, string>();
  readonly vehiclesByPlate = new Map<string, string>();
  readonly subscriptionsById = new Map<string, string>();
  readonly subscriptionsByReference = new Map<string, string>();

  /** Two lists rather than one of pairs: there are thousands, and mostly nobody ever looks. */
  readonly #addedTo: Map<string, unknown>[] = [];
  readonly #addedKeys: string[] = [];

  /** Makes an entity visible to the records that follow. */
  add<Value>(index: Map<string, Value>, key: string | undefined, value: Value): void {
    if (key === undefined) return;
    index.set(key, value);
    this.#addedTo.push(index);
    this.#addedKeys.push(key);
  }

  /** A point to return to. */
  mark(): number {
    return this.#addedKeys.length;
  }

  /** Forgets everything that was added since the mark. */
  returnTo(mark: number): void {
    for (const [at, key] of this.#addedKeys.splice(mark).entries()) this.#addedTo[mark + at]?.delete(key);
    this.#addedTo.length = mark;
  }
}
