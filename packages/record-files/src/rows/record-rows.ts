import { isDataLook, lookOf } from "../header/look.js";
import { inputError } from "../refusals.js";
import type { Row } from "../table.js";
import { ColumnProfile, isFilled } from "./column-profile.js";
import type { SetAside } from "./set-aside.js";
import { isTotalWord } from "./total-words.js";

export interface RecordRowsOptions {
  width: number;
  /** The cells of the header rows, which the pages of a report and joined files repeat. */
  header: readonly (readonly string[])[];
  aside: SetAside;
}

/** Rows that may belong to the end of the file are held back, up to this many. */
const maxHeld = 50;
/** The word for the total of a group is among this many values: "100", "Batch total". */
const maxTotalPlace = 3;
/** If this many rows have another number of cells and none fits, the header or the separator is wrong. */
const maxMisfits = 20;

/**
 * Passes on the records of a table. Sets aside totals, notes below the last record, rules and repeated headers. A row
 * with another number of cells than the header has a problem, and the rows after it are still read.
 */
export async function* recordRows(rows: AsyncIterable<Row>, options: RecordRowsOptions): AsyncGenerator<Row> {
  const sorter = new RowSorter(options);
  for await (const row of rows) for (const record of sorter.take(row)) yield record;
  yield* sorter.end();
}

class RowSorter {
  readonly #width: number;
  readonly #aside: SetAside;
  readonly #headers: ReadonlySet<string>;
  readonly #headerNames: ReadonlySet<string>;
  readonly #profile: ColumnProfile;
  #hasRecords = false;
  /** The newest record, which may turn out to be a total. */
  #last: Row | undefined;
  #held: Row[] = [];

  constructor({ width, header, aside }: RecordRowsOptions) {
    this.#width = width;
    this.#aside = aside;
    this.#headers = new Set(header.map(lineOf));
    this.#headerNames = new Set(header.flat().map((name) => name.trim()));
    this.#profile = new ColumnProfile(width);
  }

  /** Returns the rows that have become certain. */
  take(row: Row): Row[] {
    const { cells } = row;
    while (cells.length > this.#width && !isFilled(cells.at(-1))) cells.pop();
    const isComplete = cells.length === this.#width && !this.#profile.lacks(cells);
    if (isComplete && !this.#mayBeLine(cells[0] as string)) return this.#accept(row);
    if (!cells.some(isFilled)) return [];
    if (this.#isLine(cells)) {
      this.#aside.add(row);
      return [];
    }
    if (this.#isOtherHeader(cells)) throw inputError(row.line, "otherHeader");
    const isFirst = cells.length === this.#width && !this.#hasRecords;
    return isComplete || isFirst ? this.#accept(row) : this.#hold(row);
  }

  end(): Row[] {
    if (!this.#hasRecords && this.#held[0]) throw this.#misfit(this.#held[0]);
    const rows = this.#last ? [...this.#held, this.#last] : this.#held;
    let records = rows.length;
    while (records > 0 && this.#isFooter(rows[records - 1] as Row)) records -= 1;
    for (const row of rows.slice(records)) this.#aside.add(row);
    return rows.slice(0, records).map((row) => this.#ofWidth(row));
  }

  #accept(row: Row): Row[] {
    const certain = this.#settleLast();
    for (const held of this.#held) certain.push(this.#ofWidth(held));
    if (this.#held.length > 0) this.#held = [];
    this.#last = row;
    this.#hasRecords = true;
    return certain;
  }

  #hold(row: Row): Row[] {
    const isTotal = this.#last !== undefined && isTotalWord(firstOf(this.#last.cells));
    if (isTotal) this.#held.push(this.#last as Row);
    const certain = isTotal ? [] : this.#settleLast();
    this.#last = undefined;
    this.#held.push(row);
    if (!this.#hasRecords && this.#held.length > maxMisfits) throw this.#misfit(this.#held[0] as Row);
    if (this.#held.length > maxHeld) certain.push(this.#ofWidth(this.#held.shift() as Row));
    return certain;
  }

  #settleLast(): Row[] {
    if (!this.#last) return [];
    this.#profile.learn(this.#last);
    return [this.#last];
  }

  /** A quick check. */
  #mayBeLine(cell: string): boolean {
    return cell.startsWith("--") || cell.startsWith("==") || this.#headerNames.has(cell.trim());
  }

  /** Whether the row is none wherever it is: a repeated header, a rule or the total of a group. */
  #isLine(cells: readonly string[]): boolean {
    if (this.#headers.has(lineOf(cells))) return true;
    if (cells.every((cell) => !isFilled(cell) || /^\s*[-=_*+]{3,}\s*$/.test(cell))) return true;
    return this.#profile.lacksMost(cells) && cells.filter(isFilled).slice(0, maxTotalPlace).some(isTotalWord);
  }

  /** Most of the names, but not in the same places: the columns change from here on. */
  #isOtherHeader(cells: readonly string[]): boolean {
    const names = cells.filter(isFilled).map((cell) => cell.trim());
    const known = new Set(names.filter((name) => this.#headerNames.has(name))).size;
    return known > 2 && known * 2 > names.length;
  }

  /** A total, or a note: a few cells, of which the first is unlike the values of its column. */
  #isFooter({ cells }: Row): boolean {
    const profile = this.#profile;
    const first = firstOf(cells);
    const isKnown = profile.knowsShape(cells.indexOf(first), first);
    if (isTotalWord(first)) return !isKnown || profile.lacks(cells);
    const filled = cells.filter(isFilled).length;
    if (isKnown || filled > Math.max(1, this.#width / 2)) return false;
    // After one or two records, another shape means little.
    if (!profile.isMeaningful && (filled > 1 || isDataLook(lookOf(first)))) return false;
    return cells.length < this.#width || profile.lacksMost(cells);
  }

  #misfit({ line, cells }: Row): Error {
    return inputError(line, "raggedRow", { cells: cells.length, columns: this.#width });
  }

  /** Surplus cells stay in the last one, so that nothing of the row is lost. */
  #ofWidth(row: Row): Row {
    const { cells } = row;
    const width = this.#width;
    if (cells.length === width) return row;
    const data = { cells: cells.length, columns: width };
    const fitting = cells.slice(0, width);
    if (cells.length > width) fitting[width - 1] = cells.slice(width - 1).join(" ");
    while (fitting.length < width) fitting.push("");
    return { ...row, cells: fitting, problem: { path: "", code: "raggedRow", data } };
  }
}

function firstOf(cells: readonly string[]): string {
  return cells.find(isFilled) ?? "";
}

function lineOf(cells: readonly string[]): string {
  return cells
    .map((cell) => cell.trim())
    .join("\n")
    .trimEnd();
}
