const apostrophe = 0x27;
const equals = 0x3d;

/**
 * The value of a cell that is marked as text for spreadsheets: ="0012345", or '0012345 with an apostrophe before a
 * number or a code.
 */
export function unwrapped(cell: string): string {
  const first = cell.charCodeAt(0);
  if (first === equals && /^="[^"]*"$/.test(cell)) return cell.slice(2, -1);
  if (first === apostrophe && /^'[+-]?\d(?:[\d\s./:,()-]*|\w*)$/.test(cell)) return cell.slice(1);
  return cell;
}

/**
 * Control characters, soft hyphens, zero-width spaces, marks of direction and byte order marks. Not tabs and line ends,
 * and not the joiners that Persian and Indian words need.
 */
const invisible =
  // oxlint-disable-next-line no-control-regex
  /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** Text without invisible characters and without spaces around it. */
export function cleanText(text: string): string {
  const trimmed = text.trim();
  return /[^ -~]/.test(trimmed) ? trimmed.replaceAll(invisible, "").trim() : trimmed;
}

/** What a spreadsheet shows instead of a value: #N/A, #DIV/0!, or ##### in a narrow column. */
export function isErrorValue(text: string): boolean {
  return (
    text.startsWith("#") &&
    /^#(?:[¡¿]?[\p{Lu}\d/_]{2,15}[!?]|\p{Lu}\/\p{Lu}|NV|GETTING_DATA|#{2,})$/u.test(text)
  );
}

/** A number as a spreadsheet shortens it: 1.23457E+15. The other digits are lost. */
export function isShortenedNumber(text: string): boolean {
  return /^[+-]?\d(?:[.,]\d{1,20}[eE]\+?|[eE]\+)\d{1,3}$/.test(text);
}
