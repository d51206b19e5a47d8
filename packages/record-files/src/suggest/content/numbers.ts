import { parseNumber, readNumberFormat, type NumberFormat } from "../../record/conversions/number-format.js";
import { plainDigits } from "../../record/conversions/plain-digits.js";
import { shareOf, type Weighted } from "./weighted.js";

/** How the numbers of a column are written. */
export interface NumberSpelling {
  /** Undefined: plain digits with an optional point. */
  example: string | undefined;
  /** Other formats that read the same values as other numbers. */
  rivals: string[];
  /** A value that the rivals read differently. */
  value: string | undefined;
  /** The units that are written beside the numbers, and their rows. */
  units: Weighted[];
  /** Values that are not numbers in this format. */
  odd: Weighted[];
  /** The numbers, in the order of the values; undefined for odd ones. */
  numbers: (number | undefined)[];
}

const maxOdd = 0.2;
const plainNumber = /^[+-]?\d+(?:\.\d+)?$/;
const cores = ["1,234.50", "1.234,50", "1 234,50", "1'234.50", "1234.50", "1234,50"];

/** Undefined if the column does not contain numbers. */
export function spellingOfNumbers(written: readonly Weighted[]): NumberSpelling | undefined {
  const values = written.map(({ value, rows }) => ({ value: plainDigits(value), rows }));
  if (values.length === 0 || shareOf(values, isNumberLike) < 1 - maxOdd) return undefined;
  const units = unitsOf(values.filter(({ value }) => isNumberLike(value)));
  const named = units.filter(({ value }) => value !== "");
  const [{ value: unit = "" } = {}] = named;
  const isBehind = shareOf(values, (value) => unit !== "" && value.endsWith(unit)) > 0;
  const formats = cores
    .map((core) => (unit === "" ? core : isBehind ? `${core} ${unit}` : `${unit}${core}`))
    .map(readNumberFormat)
    .filter((format): format is NumberFormat => format !== undefined);
  const results = formats.flatMap((format) => resultOf(format, values) ?? []);
  const most = Math.max(0, ...results.map(({ rows }) => rows));
  const byMeaning = new Map<string, (typeof results)[number]>();
  for (const result of results) {
    const key = result.texts.join("|");
    if (result.rows >= most && !byMeaning.has(key)) byMeaning.set(key, result);
  }
  const [best, other] = byMeaning.values();
  if (!best) return undefined;
  const isPlain = written.every(
    ({ value }, index) => best.texts[index] === undefined || plainNumber.test(value),
  );
  const at = other ? best.texts.findIndex((text, index) => text !== other.texts[index]) : -1;
  return {
    example: isPlain && !other ? undefined : best.format.example,
    rivals: [...byMeaning.values()].slice(1).map(({ format }) => format.example),
    value: written[at]?.value,
    units: named,
    odd: written.filter((_, index) => best.texts[index] === undefined),
    numbers: best.texts.map((text) => (text === undefined ? undefined : Number(text))),
  };
}

function resultOf(format: NumberFormat, values: readonly Weighted[]) {
  const texts = values.map(({ value }) => parseNumber(value, format));
  const rows = values.reduce((sum, one, index) => sum + (texts[index] === undefined ? 0 : one.rows), 0);
  return rows === 0 ? undefined : { format, texts, rows };
}

/** The rest of a number without its digits, signs and separators. */
function unitOf(value: string): string {
  return value.replaceAll(/[\d.,'\u2019()+\s\u00a0\u202f\u2212-]/g, "");
}

/** Signs, codes and words of currencies. Other letters beside digits make a code, not an amount. */
const currency =
  /^(?:[A-Z]{0,2}\p{Sc}|kr\.?|z\u0142|K\u010d|Ft|lei|TL|Fr\.?|SFr\.?|\u5186|\u5143|\uc6d0|\u0440\u0443\u0431\.?|\u0440\.?|\u0433\u0440\u043d\.?|euros?)$/iu;
const currencyCodes = new Set(
  `EUR USD GBP CHF CAD AUD NZD PLN CZK HUF RON SEK DKK NOK ISK TRY RUB UAH BGN RSD ILS AED SAR QAR KWD OMR BHD EGP MAD TND JPY CNY RMB
  KRW TWD HKD SGD THB MYR IDR PHP VND INR BRL MXN ARS CLP COP PEN ZAR KZT GEL`.split(/\s+/),
);

/** Whether the name of a column has a currency in it: "Fee (AED)". */
export function namesCurrency(name: string): boolean {
  return /[$€£¥]/.test(name) || name.split(/[^\p{L}]+/u).some((word) => currencyCodes.has(word));
}

/** Whether a value is a number, with a currency or without. */
export function isNumberLike(value: string): boolean {
  const unit = unitOf(value);
  return (
    /\d/.test(value) &&
    (unit === "" || currency.test(unit) || currencyCodes.has(unit.toUpperCase())) &&
    /^\D{0,8}[\d.,'\u2019\s\u00a0\u202f]+\D{0,8}$/.test(value)
  );
}

function unitsOf(values: readonly Weighted[]): Weighted[] {
  const found = new Map<string, number>();
  for (const { value, rows } of values) found.set(unitOf(value), (found.get(unitOf(value)) ?? 0) + rows);
  return [...found].map(([value, rows]) => ({ value, rows })).toSorted((one, other) => other.rows - one.rows);
}
