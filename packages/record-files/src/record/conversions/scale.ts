/** A power of ten from 0.000001 to 1000000, as its exponent; undefined for other numbers. */
export function readScale(text: string): number | undefined {
  if (/^10{0,6}$/.test(text)) return text.length - 1;
  return /^0\.0{0,5}1$/.test(text) ? 2 - text.length : undefined;
}

/** Moves the decimal point of a JSON number, so that every digit is kept: 5010 becomes 50.10. */
export function scaled(number: string, exponent: number): string {
  const [mantissa = "", power] = number.split(/[eE]/, 2);
  // A power may be huge, so it is not written out.
  if (power !== undefined) return `${mantissa}e${Number(power) + exponent}`;
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole = "", fraction = ""] = mantissa.slice(sign.length).split(".", 2);
  const digits =
    exponent < 0 ? whole.padStart(1 - exponent, "0") + fraction : whole + fraction.padEnd(exponent, "0");
  const point = Math.max(whole.length, exponent < 0 ? 1 - exponent : 0) + exponent;
  const left = digits.slice(0, point).replace(/^0+(?=\d)/, "");
  const right = digits.slice(point);
  return `${sign}${left}${right === "" ? "" : `.${right}`}`;
}
