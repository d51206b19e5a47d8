/** What a number in a cell stands for, by the format that the cell is shown in. */
export interface CellFormat {
  hasDate: boolean;
  hasTime: boolean;
}

const plain: CellFormat = { hasDate: false, hasTime: false };

/** Formats of dates that every spreadsheet knows by number. */
const builtIn = new Map<number, CellFormat>([
  ...numbered([14, 15, 16, 17, ...range(27, 31), 36, ...range(50, 54), 57, 58], {
    hasDate: true,
    hasTime: false,
  }),
  ...numbered([18, 19, 20, 21, ...range(32, 35), 45, 46, 47, 55, 56], { hasDate: false, hasTime: true }),
  ...numbered([22], { hasDate: true, hasTime: true }),
]);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function numbered(ids: readonly number[], format: CellFormat): [number, CellFormat][] {
  return ids.map((id) => [id, format]);
}

export function cellFormat(id: number, code: string | undefined): CellFormat {
  return code === undefined ? (builtIn.get(id) ?? plain) : formatOfCode(code);
}

/** Text in quotes, colours and conditions in brackets, and single letters behind a backslash mean nothing here. */
function formatOfCode(code: string): CellFormat {
  const bare = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, "")
    // [h] counts hours; everything else in brackets is no part of a date.
    .replaceAll(/\[([hms]{1,2})\]/gi, "$1")
    .replaceAll(/\[[^\][]*\]/g, "")
    .toLowerCase();
  if (bare.includes("general") || /[#0?]/.test(bare.replaceAll(/[ymdhs]?\.0+/g, ""))) return plain;
  const hasTime = /[hs]/.test(bare);
  return { hasDate: /[yd]/.test(bare) || (/m/.test(bare) && !hasTime), hasTime };
}

const dayMs = 86_400_000;
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);

/** A number as a date or time in ISO 8601, on the clock of the place; undefined if it cannot be one. */
export function dateText(
  serial: number,
  { hasDate, hasTime }: CellFormat,
  is1904: boolean,
): string | undefined {
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_465) return undefined;
  const ms = Math.round(serial * dayMs);
  const iso = new Date((is1904 ? epoch1904 : epoch1900) + ms).toISOString();
  const time = iso.slice(11, ms % 1000 === 0 ? 19 : 23);
  if (!hasDate && serial < 1) return time;
  // A day shown without its time may have one all the same.
  return hasTime || ms % dayMs !== 0 ? `${iso.slice(0, 10)} ${time}` : iso.slice(0, 10);
}

const spreadsheetDigits = 15;

/**
 * A number as spreadsheets show it. They store binary fractions and show fifteen digits of them: 12.550000000000001 is
 * shown, and meant, as 12.55. Whole numbers and short ones stay as they are written.
 */
export function numberText(stored: string): string {
  if (/^-?\d+(?:\.\d{1,9})?$/.test(stored) && (stored.length <= spreadsheetDigits || !stored.includes(".")))
    return stored;
  const value = Number(stored);
  if (stored.trim() === "" || !Number.isFinite(value)) return stored;
  const [mantissa = "", exponent] = value.toPrecision(spreadsheetDigits).split("e");
  return exponent === undefined ? trimmed(mantissa) : shifted(mantissa, Number(exponent));
}

function trimmed(text: string): string {
  if (!text.includes(".")) return text;
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}

/** The same without an exponent, as far as that stays short. */
function shifted(mantissa: string, exponent: number): string {
  const isNegative = mantissa.startsWith("-");
  const [whole = "", fraction = ""] = (isNegative ? mantissa.slice(1) : mantissa).split(".");
  if (Math.abs(exponent) > 40) return `${mantissa}e${exponent}`;
  const digits = whole + fraction;
  const point = whole.length + exponent;
  const text =
    point <= 0
      ? `0.${"0".repeat(-point)}${digits}`
      : point >= digits.length
        ? digits.padEnd(point, "0")
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return (isNegative ? "-" : "") + trimmed(text);
}
