/** The digits zero of other scripts: Arabic-Indic, Persian and full-width. */
const zeros = [0x0660, 0x06f0, 0xff10];

/** Writes the digits of other scripts as 0 to 9, and the Arabic separators of numbers as point and comma. */
export function plainDigits(text: string): string {
  if (!/[\u0660-\u066c\u06f0-\u06f9\uff10-\uff19]/.test(text)) return text;
  return text.replaceAll(/[\u0660-\u066c\u06f0-\u06f9\uff10-\uff19]/g, (sign) => {
    if (sign === "\u066b") return ".";
    if (sign === "\u066c") return ",";
    const code = sign.charCodeAt(0);
    const zero = zeros.find((one) => code >= one && code <= one + 9);
    return zero === undefined ? sign : String(code - zero);
  });
}
