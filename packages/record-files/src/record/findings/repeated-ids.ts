/** Numbers per id: two of its hash, the hash of its record, and its line. */
const width = 4;
const firstCapacity = 1 << 12;
/** 64 MB. Later ids are still compared with these. */
const maxCapacity = 1 << 22;
const maxFill = 0.75;

/** Whether an id was in the file before. */
export interface Repeat {
  firstLine: number;
  /** Whether both records are equal. */
  isEqual: boolean;
}

/**
 * Compares the ids of a file by hashes of 64 bits, so that a million ids take 32 MB. Of 40 million
 * files with a million ids, one has two different ids with the same hash.
 */
export class RepeatedIds {
  #slots = new Uint32Array(firstCapacity * width);
  count = 0;

  /** Whether later ids are no longer added. */
  get isFull(): boolean {
    return this.count >= maxCapacity * maxFill;
  }

  add(id: string, record: string, line: number): Repeat | undefined {
    if (id === "") return undefined;
    const [high, low] = hash(id);
    const [content] = hash(record);
    const at = this.#find(high, low);
    if (this.#slots[at + 3] !== 0)
      return { firstLine: this.#slots[at + 3] as number, isEqual: this.#slots[at + 2] === content };
    if (this.isFull) return undefined;
    this.#slots.set([high, low, content, line], at);
    this.count += 1;
    if (this.count >= (this.#slots.length / width) * maxFill) this.#grow();
    return undefined;
  }

  /** The slot of an id, or the empty slot where it belongs. A line is never 0. */
  #find(high: number, low: number): number {
    const slots = this.#slots;
    const mask = slots.length / width - 1;
    for (let index = low & mask; ; index = (index + 1) & mask) {
      const at = index * width;
      if (slots[at + 3] === 0 || (slots[at] === high && slots[at + 1] === low)) return at;
    }
  }

  #grow(): void {
    const old = this.#slots;
    if (old.length / width >= maxCapacity) return;
    this.#slots = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += width) {
      if (old[at + 3] === 0) continue;
      const slot = this.#find(old[at] as number, old[at + 1] as number);
      this.#slots.set(old.subarray(at, at + width), slot);
    }
  }
}

/** cyrb53 by bryc (public domain), with all of its 64 bits. */
function hash(text: string): [high: number, low: number] {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return [two >>> 0, one >>> 0];
}
