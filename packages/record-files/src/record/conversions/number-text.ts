/**
 * A JSON number with the same digits. Allows a sign, leading zeros and a bare decimal point, but never a
 * comma.
 */
export function numberText(value: string): string | undefined {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(value);
  if (!match || !/\d/.test(value.replace(/[eE].*/, ""))) return undefined;
  const [, sign, digits = "", fraction, exponent = ""] = match;
  const whole = digits.replace(/^0+/, "") || "0";
  return `${sign === "-" ? "-" : ""}${whole}${fraction ? `.${fraction}` : ""}${exponent}`;
}
