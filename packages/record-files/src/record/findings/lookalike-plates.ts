import type { Finding } from "../../refusals.js";

/** Cyrillic and Greek letters that look like Latin ones. */
const lookalikes = /^[АВЕЅІЈКМНОРСТУХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ\d\s.·-]+$/iu;

interface Counts {
  rows: number;
  examples: { line: number; value: string }[];
}

/**
 * Finds plates that mix letters of two scripts, and plates in look-alike letters in a file that also has Latin ones.
 * Such plates look equal and are different vehicles.
 */
export class LookalikePlates {
  readonly #mixed: Counts = { rows: 0, examples: [] };
  readonly #foreign: Counts = { rows: 0, examples: [] };
  #hasLatin = false;

  add(plate: string, line: number): void {
    const hasLatin = /[a-z]/i.test(plate);
    if (hasLatin) this.#hasLatin = true;
    if (!/[\u0370-\u04ff]/.test(plate)) return;
    if (hasLatin) count(this.#mixed, plate, line);
    else if (lookalikes.test(plate)) count(this.#foreign, plate, line);
  }

  findings(): Finding[] {
    const found = this.#hasLatin ? [this.#mixed, this.#foreign] : [this.#mixed];
    const rows = found.reduce((sum, counts) => sum + counts.rows, 0);
    const examples = found.flatMap((counts) => counts.examples).slice(0, maxExamples);
    return rows === 0 ? [] : [{ code: "lookalikeLetters", data: {}, rows, examples }];
  }
}

const maxExamples = 3;

function count(counts: Counts, value: string, line: number): void {
  counts.rows += 1;
  if (counts.examples.length < maxExamples) counts.examples.push({ line, value });
}
