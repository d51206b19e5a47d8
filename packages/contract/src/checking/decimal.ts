/** A JSON number as it was written, including digits that a double would round away. */
export interface Decimal {
  isZero: boolean;
  /** Digits before the point, without leading zeros: the number is below 10^wholeDigits. Negative for 0.001. */
  wholeDigits: number;
  decimalPlaces: number;
}

const shape = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

export function readDecimal(spelling: string): Decimal {
  const [, whole = "", fraction = "", exponent = "0"] = shape.exec(spelling) ?? [];
  const leadingZeros = `${whole}${fraction}`.search(/[1-9]/);
  const isZero = leadingZeros === -1;
  return {
    isZero,
    wholeDigits: isZero ? 0 : whole.length - leadingZeros + Number(exponent),
    decimalPlaces: isZero ? 0 : fraction.length - Number(exponent),
  };
}

/** The canonical form of a number: its digits without zeros at either end, and an exponent. */
export function canonicalDecimal(spelling: string): string {
  const [, whole = "", fraction = "", exponent = "0"] = shape.exec(spelling) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  if (digits === "") return "0";
  const kept = withoutTrailingZeros(digits);
  const power = Number(exponent) - fraction.length + digits.length - kept.length;
  return `${spelling.startsWith("-") ? "-" : ""}${kept}e${power}`;
}

/** A loop because `/0+$/` backtracks quadratically on long runs of zeros, and the input is untrusted. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === "0") end -= 1;
  return digits.slice(0, end);
}
