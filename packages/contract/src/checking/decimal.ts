/** A JSON number as it is spelled, for what a double would round away. */
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
