import { plainDigits } from "./plain-digits.js";

/** A number format, described by an example: how the file writes 1234.50. */
export interface NumberFormat {
  /** Used in messages. */
  example: string;
  decimal: "." | "," | undefined;
  /** The thousands separator; "" for none. */
  group: string;
  /** A currency such as $ or EUR. */
  unit: string;
  isPercent: boolean;
}

const spaces = /[\s\u00a0\u2007\u202f]/g;
const core = /^1([.,'\u2019 ]?)234(?:([.,])50?)?$/;
const maxUnitLength = 5;

/** Undefined if the text is not a spelling of 1234.50. */
export function readNumberFormat(example: string): NumberFormat | undefined {
  const plain = plainDigits(example).replaceAll(spaces, " ").trim();
  const start = plain.search(/\d/);
  const end = plain.length - [...plain].toReversed().findIndex((letter) => /\d/.test(letter));
  if (start === -1) return undefined;
  const match = core.exec(plain.slice(start, end));
  const around = [plain.slice(0, start).trim(), plain.slice(end).trim()].filter((part) => part !== "");
  const isPercent = around.includes("%");
  const units = around.filter((part) => part !== "%");
  const [unit = ""] = units;
  if (!match || units.length > 1 || unit.length > maxUnitLength || /[-+(),\d]/.test(unit)) return undefined;
  const [, group = "", decimal] = match;
  if (group !== "" && group === decimal) return undefined;
  return { example, decimal: decimal as NumberFormat["decimal"], group, unit, isPercent };
}

/** Credit and debit: the one in the example is positive, the other negative. */
const opposites: Readonly<Record<string, string>> = { CR: "DR", DR: "CR" };

/**
 * Converts a number to JSON with all its digits; undefined if it does not match the format. Parentheses or a
 * leading or trailing minus make it negative. Thousands separators must be at the correct positions: 1.5 is
 * not 15.
 */
export function parseNumber(text: string, format: NumberFormat): string | undefined {
  let rest = plainDigits(text).replaceAll(spaces, " ").trim();
  let isNegative = false;
  const isBracketed = rest.startsWith("(") && rest.endsWith(")");
  if (isBracketed) rest = rest.slice(1, -1).trim();
  let signs = isBracketed ? 1 : 0;
  isNegative = isBracketed;
  const opposite = opposites[format.unit];
  let units = 0;
  let percents = 0;
  for (let before = ""; before !== rest;) {
    before = rest;
    const sign = /^[-+\u2212]|[-\u2212]$/.exec(rest)?.[0];
    if (sign !== undefined) {
      signs += 1;
      isNegative = sign !== "+";
      rest = rest.startsWith(sign) ? rest.slice(1) : rest.slice(0, -1);
    } else if (format.unit !== "" && rest.startsWith(format.unit)) {
      units += 1;
      rest = rest.slice(format.unit.length);
    } else if (format.unit !== "" && rest.endsWith(format.unit)) {
      units += 1;
      rest = rest.slice(0, -format.unit.length);
    } else if (opposite !== undefined && rest.endsWith(opposite)) {
      units += 1;
      isNegative = !isNegative;
      rest = rest.slice(0, -opposite.length);
    } else if (format.isPercent && rest.endsWith("%")) {
      percents += 1;
      rest = rest.slice(0, -1);
    }
    rest = rest.trim();
    // Stop early: a cell may contain millions of signs, and each would search the rest.
    if (signs > 1 || units > 1 || percents > 1) return undefined;
  }
  // A number without its percent sign may already be a fraction. A number without its currency is the same
  // amount.
  if (percents !== (format.isPercent ? 1 : 0)) return undefined;
  // Without CR or DR, the sign is unknown.
  if (opposite !== undefined && units === 0) return undefined;
  const digits = digitsOf(rest, format);
  if (digits === undefined) return undefined;
  const [whole, fraction] = format.isPercent ? hundredth(digits) : digits;
  const number = `${whole.replace(/^0+(?=\d)/, "")}${fraction === "" ? "" : `.${fraction}`}`;
  return isNegative && /[1-9]/.test(number) ? `-${number}` : number;
}

/** The digits before and after the decimal separator. */
function digitsOf(text: string, { decimal, group }: NumberFormat): [string, string] | undefined {
  const parts = decimal === undefined ? [text] : text.split(decimal);
  const [whole = "", fraction = ""] = parts;
  if (parts.length > 2 || !/^\d*$/.test(fraction) || (whole === "" && fraction === "")) return undefined;
  const groups = (group === "'" || group === "\u2019" ? whole.replaceAll("\u2019", "'") : whole).split(
    group === "" ? " " : group.replace("\u2019", "'"),
  );
  const isGrouped = groups.length > 1;
  if (!groups.every((digits) => /^\d*$/.test(digits))) return undefined;
  if (isGrouped && (group === "" || !isGroupedRight(groups, group))) return undefined;
  return [groups.join("") || "0", fraction];
}

/** 1,234,567 or, in India, 12,34,567. */
function isGroupedRight([first = "", ...others]: readonly string[], group: string): boolean {
  const last = others.pop() ?? "";
  const size = group === "," && others.length > 0 && others.every(({ length }) => length === 2) ? 2 : 3;
  return (
    first.length >= 1 &&
    first.length <= size &&
    last.length === 3 &&
    others.every(({ length }) => length === size)
  );
}

function hundredth([whole, fraction]: [string, string]): [string, string] {
  const digits = whole.padStart(3, "0");
  return [digits.slice(0, -2), digits.slice(-2) + fraction];
}
