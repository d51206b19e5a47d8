/**
 * A spreadsheet runs what begins like a formula, and what is in our files was typed by strangers. An apostrophe before
 * it makes it text (CWE-1236). Where the list separator is not a comma, a spreadsheet splits cells of ours at theirs, and
 * at line breaks, whatever is quoted; so what follows any of them is a beginning as well.
 */
interface Beginnings {
  /** Where the cell begins. */
  begin: RegExp;
  /** From a separator on, up to the sign. Further separators begin again, so that looking takes no longer than reading. */
  inside: RegExp;
}
const bare: Beginnings = {
  begin: /^()(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/,
  inside: /([;|\t\r\n][^\S\t\r\n]*"*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
};
/** With apostrophes that stand there already. */
const quoted: Beginnings = {
  begin: /^('*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/,
  inside: /([;|\t\r\n][^\S\t\r\n]*["']*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
};
const guarded: Beginnings = {
  begin: /^('+)(?=[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n])/,
  inside: /([;|\t\r\n][^\S\t\r\n]*["']*')(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
};

/** What looks like a formula, as text. */
export function harmlessCell(cell: string): string {
  return cell.replaceAll(bare.inside, "$1'").replace(bare.begin, "'");
}

/**
 * The same for cells that are read back later. The added apostrophe can be told from the cell's own: one is added even
 * where the cell begins with some.
 */
export function guardedCell(cell: string): string {
  return cell.replaceAll(quoted.inside, "$1'").replace(quoted.begin, "$1'");
}

/** The cell that was guarded. */
export function unguardedCell(cell: string): string {
  const withoutOne = (apostrophes: string): string => apostrophes.slice(0, -1);
  return cell.replaceAll(guarded.inside, withoutOne).replace(guarded.begin, withoutOne);
}
