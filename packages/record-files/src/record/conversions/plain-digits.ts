/** The digits zero of other scripts: Arabic-Indic, Persian, Devanagari, Bengali, Thai and full-width. */
const zeros = [0x0660, 0x06f0, 0x0966, 0x09e6, 0x0e50, 0xff10];
/** Full-width punctuation has the codes of ASCII plus this. */
const fullWidth = 0xfee0;

const foreign = /[\u0660-\u066c\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff01-\uff1f]/g;

/** Writes the digits of other scripts as 0 to 9, and their separators as those of ASCII. */
export function plainDigits(text: string): string {
  if (!/[^ -~]/.test(text)) return text;
  return text.replaceAll(foreign, (sign) => {
    if (sign === "\u066b") return ".";
    if (sign === "\u066c") return ",";
    const code = sign.charCodeAt(0);
    const zero = zeros.find((one) => code >= one && code <= one + 9);
    if (zero !== undefined) return String(code - zero);
    return code > fullWidth ? String.fromCharCode(code - fullWidth) : sign;
  });
}
