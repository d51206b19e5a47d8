/** What a number means, according to the cell's format. */
export interface CellFormat {
  hasDate: boolean;
  hasTime: boolean;
}

const plain: CellFormat = { hasDate: false, hasTime: false };

/** Built-in date formats. */
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

/** Ignores quoted text, colours, conditions in brackets and escaped letters. */
function formatOfCode(code: string): CellFormat {
  const bare = code
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, "")
    // [h] counts hours; other brackets are not part of a date.
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

/** Converts a number to an ISO 8601 date or time; undefined if it is out of range. */
export function dateText(
  serial: number,
  { hasDate, hasTime }: CellFormat,
  is1904: boolean,
): string | undefined {
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_465) return undefined;
  const ms = Math.round(serial * dayMs);
  // A time of day, or a duration. No record has an earlier date.
  if (serial < (hasDate ? 1 : firstDay)) return serial === 0 && hasDate ? noDate : durationText(ms);
  const iso = new Date((is1904 ? epoch1904 : epoch1900) + ms).toISOString();
  const time = iso.slice(11, ms % 1000 === 0 ? 19 : 23);
  // A cell formatted as a date may still contain a time.
  return hasTime || ms % dayMs !== 0 ? `${iso.slice(0, 10)} ${time}` : iso.slice(0, 10);
}

/** A cell with a smaller number and no date in its format holds a duration. */
const firstDay = 60;
/** Spreadsheets show 0 as January 0, 1900. */
const noDate = "0000-00-00";

function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const text = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return ms % 1000 === 0 ? text : `${text}.${String(ms % 1000).padStart(3, "0")}`;
}

const spreadsheetDigits = 15;
/** A larger number with so many digits that are not 0 had more of them. */
const fullDigits = 12;

/**
 * Formats a number as spreadsheets show it. They store binary fractions and show fifteen digits:
 * 12.550000000000001 is shown as 12.55. Integers and short numbers stay unchanged.
 */
export function numberText(stored: string): string {
  if (/^-?\d+(?:\.\d{1,9})?$/.test(stored) && (stored.length <= spreadsheetDigits || !stored.includes(".")))
    return stored;
  const value = Number(stored);
  if (stored.trim() === "" || !Number.isFinite(value)) return stored;
  const [mantissa = "", exponent] = value.toPrecision(spreadsheetDigits).split("e");
  if (exponent === undefined) return trimmed(mantissa);
  const known = trimmed(mantissa);
  if (Number(exponent) >= spreadsheetDigits && known.length > fullDigits) return `${known}E${exponent}`;
  return shifted(mantissa, Number(exponent));
}

function trimmed(text: string): string {
  if (!text.includes(".")) return text;
  let end = text.length;
  while (text[end - 1] === "0") end -= 1;
  return text.slice(0, text[end - 1] === "." ? end - 1 : end);
}

/** Expands a short exponent. */
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
