/** What the text of a cell looks like, to tell the names of columns from data. */
export type Look = "blank" | "number" | "time" | "address" | "code" | "words" | "mixed";

/** The beginning of a cell shows its look. */
const lookedAt = 80;

export function lookOf(cell: string): Look {
  const text = cell.slice(0, lookedAt).trim();
  if (text === "") return "blank";
  if (text.includes("@") || text.includes("://")) return "address";
  if (!/\p{Nd}/u.test(text)) return "words";
  if (/^\p{Nd}{1,4}[-/.]\p{Nd}{1,2}[-/.]\p{Nd}{1,4}|^\p{Nd}{1,2}:\p{Nd}{2}/u.test(text)) return "time";
  if (/^(?:[A-Z]{3} ?)?[\p{Nd}\p{Sc}\s.,'+%()-]+(?:[A-Z]{3})?$/u.test(text)) return "number";
  return /\s/.test(text) ? "mixed" : "code";
}

const looksOfData: ReadonlySet<Look | undefined> = new Set(["number", "time", "address", "code"]);

/** Whether only data looks like this. A name of a column may also look like a code: "Line2". */
export function isDataLook(look: Look | undefined): boolean {
  return looksOfData.has(look);
}

/** The look that most filled cells share. */
export function commonLook(cells: readonly string[]): Look | undefined {
  const counts = new Map<Look, number>();
  let filled = 0;
  for (const cell of cells) {
    const look = lookOf(cell);
    if (look === "blank") continue;
    filled += 1;
    counts.set(look, (counts.get(look) ?? 0) + 1);
  }
  return [...counts].find(([, count]) => count >= filled * 0.8)?.[0];
}

/** Whether the filled cells of a row could be names of columns. */
export function isLabelRow(cells: readonly string[]): boolean {
  const looks = cells.map(lookOf).filter((look) => look !== "blank");
  const words = looks.filter((look) => look === "words").length;
  return (
    words > 0 && words * 2 >= looks.length && looks.every((look) => !isDataLook(look) || look === "code")
  );
}

/**
 * The outline of a value: words, runs with digits, and the marks between them. "T-17" and "A-9" have the same shape,
 * "Total" has another.
 */
export function shapeOf(cell: string): string {
  return cell
    .trim()
    .slice(0, lookedAt)
    .replaceAll(/[\p{L}\p{M}\p{Nd}]+/gu, (run) => (/\p{Nd}/u.test(run) ? "9" : "a"));
}
