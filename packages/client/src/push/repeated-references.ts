import { hash } from "node:crypto";

/** Two hashes of 8 bytes: of the reference, and of the record. */
const wordsPerSlot = 4;
const initialSlots = 1 << 12;
/** A fuller table would be slow. */
const maxLoad = 0.75;
/** Records beyond are compared with these and not remembered: about 130 MB. */
export const maxRememberedReferences = 5_000_000;

/** What is known of a record's reference: "equal" and "different" compare the record with the first that has it. */
export type Repetition = "first" | "equal" | "different" | "not remembered";

/**
 * Finds references that occur more than once in a file of any size. Of each record it remembers 16 bytes, so two references
 * would be confused once in millions of files.
 */
export class RepeatedReferences {
  #slots = new Uint32Array(initialSlots * wordsPerSlot);
  #size = 0;
  readonly #max: number;

  constructor(max: number = maxRememberedReferences) {
    this.#max = max;
  }

  add(reference: string, record: string): Repetition {
    const key = hashOf(reference);
    const content = hashOf(record);
    const slot = findSlot(this.#slots, key);
    if (isUsed(this.#slots, slot))
      return this.#slots[slot + 2] === content[0] && this.#slots[slot + 3] === content[1]
        ? "equal"
        : "different";
    if (this.#size >= this.#max) return "not remembered";
    this.#slots.set([...key, ...content], slot);
    this.#size += 1;
    if (this.#size * wordsPerSlot > this.#slots.length * maxLoad) this.#grow();
    return "first";
  }

  #grow(): void {
    const larger = new Uint32Array(this.#slots.length * 2);
    for (let slot = 0; slot < this.#slots.length; slot += wordsPerSlot) {
      if (!isUsed(this.#slots, slot)) continue;
      const entry = this.#slots.subarray(slot, slot + wordsPerSlot);
      larger.set(entry, findSlot(larger, [entry[0] as number, entry[1] as number]));
    }
    this.#slots = larger;
  }
}

type HashWords = readonly [number, number];

/** Never two zeros, which mark an unused slot. */
function hashOf(text: string): HashWords {
  const digest = hash("sha256", text, "buffer");
  return [digest.readUInt32LE(0), digest.readUInt32LE(4) || 1];
}

function isUsed(slots: Uint32Array, slot: number): boolean {
  return slots[slot] !== 0 || slots[slot + 1] !== 0;
}

/** The slot of the key, or the unused one where it belongs. */
function findSlot(slots: Uint32Array, [low, high]: HashWords): number {
  let slot = ((low * wordsPerSlot) >>> 0) % slots.length;
  while (isUsed(slots, slot) && (slots[slot] !== low || slots[slot + 1] !== high))
    slot = (slot + wordsPerSlot) % slots.length;
  return slot;
}
