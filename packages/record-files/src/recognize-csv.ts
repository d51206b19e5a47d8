import { CsvScan } from "./csv-scan.js";
import { usualDelimiters } from "./csv.js";
import { recognizeHeader, type HeaderPlace } from "./header/recognize-header.js";
import type { Row } from "./table.js";

interface CsvSettings extends HeaderPlace {
  delimiter: string;
  quote: string;
}

type KnownSettings = { [Part in keyof CsvSettings]?: CsvSettings[Part] | undefined };

/** The beginning of a file. */
interface Sample {
  text: string;
  isWhole: boolean;
}

/** How many rows are inspected. */
const sampleRows = 60;

/** Detects separator, quotes and header from the beginning of a CSV file. */
export function recognizeCsv(sample: Sample, known: KnownSettings): CsvSettings {
  const declared = declaredDelimiter(sample.text);
  const given = known.delimiter ?? declared;
  const delimiters = given === undefined ? usualDelimiters : [given];
  let cut = bestCut(sample, delimiters, known.quote ?? recognizeQuote(sample.text));
  if (cut.isBroken && known.quote === undefined) {
    const plain = bestCut(sample, delimiters, "");
    if (plain.share >= 0.9 && !isQuoted(plain.rows)) cut = plain;
  }
  const rows = declared === undefined ? cut.rows : cut.rows.filter(({ line }) => line > 1);
  return { delimiter: cut.delimiter, quote: cut.quote, ...recognizeHeader(rows, known) };
}

/** Excel may declare the separator in the first line: sep=; */
function declaredDelimiter(text: string): string | undefined {
  return /^"?sep=([^\r\n"])"?(?:\r\n|\r|\n)/i.exec(text)?.[1];
}

/**
 * Single quotes are quote characters if the first line begins and ends with one and contains no double
 * quotes.
 */
function recognizeQuote(text: string): string {
  const line = (/^[^\r\n]*/.exec(text)?.[0] ?? "").trim();
  return line.length > 1 && line.startsWith("'") && line.endsWith("'") && !line.includes('"') ? "'" : '"';
}

/** Quotes around whole cells are more than characters. */
function isQuoted(rows: readonly Row[]): boolean {
  const cells = rows.flatMap((row) => row.cells);
  return cells.filter((cell) => /^\s*"[^"]*"\s*$/.test(cell)).length * 10 > cells.length;
}

interface Cut {
  delimiter: string;
  quote: string;
  rows: Row[];
  /** The share of the rows that have the most frequent number of cells. */
  share: number;
  width: number;
  /** Whether the quotes do not fit. */
  isBroken: boolean;
}

/** The separator for which most rows have the same number of cells, or else the most cells. */
function bestCut(sample: Sample, delimiters: readonly string[], quote: string): Cut {
  const cuts = delimiters.map((delimiter) => cutSample(sample, delimiter, quote));
  let best = cuts[0] as Cut;
  for (const cut of cuts.slice(1)) {
    const isBetter = cut.share > best.share || (cut.share === best.share && cut.width > best.width);
    if (cut.width > 1 && (best.width < 2 || isBetter)) best = cut;
  }
  return best;
}

/** The complete rows, up to the first that cannot be read with these settings. */
function cutSample({ text, isWhole }: Sample, delimiter: string, quote: string): Cut {
  const scan = new CsvScan({ delimiter, quote });
  const found: Row[] = [];
  let isBroken = false;
  try {
    for (let at = 0; at < text.length && found.length < sampleRows; at += 1024)
      found.push(...scan.scan(text.slice(at, at + 1024)));
    if (isWhole && found.length < sampleRows) found.push(...scan.end());
  } catch {
    // The actual reader reports the error with its line.
    isBroken = true;
    found.push(...scan.takeRows());
  }
  const rows = found.filter(({ cells }) => cells.length > 1 || cells[0]?.trim() !== "").slice(0, sampleRows);
  const widths = rows.map(({ cells }) => cells.length);
  const width = mostFrequent(widths);
  const share = widths.filter((other) => other === width).length / widths.length;
  return { delimiter, quote, rows, share, width, isBroken };
}

function mostFrequent(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  const [found] = [...counts].toSorted((one, other) => other[1] - one[1] || other[0] - one[0]);
  return found?.[0] ?? 0;
}
