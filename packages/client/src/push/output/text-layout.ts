/** Output stays readable in a terminal of this width. */
export const terminalWidth = 100;
const maxShownLength = 40;

/** Quotes a value of the file, and shortens a long one. */
export function cut(value: string, maxLength = maxShownLength): string {
  return JSON.stringify(shortened(value, maxLength));
}

export function shortened(text: string, maxLength = maxShownLength): string {
  return text.length > maxLength ? `${text.slice(0, maxLength - 3)}...` : text;
}

/** Breaks a text into lines: the first has one indentation, the others another. */
export function wrapped(text: string, first: string, next: string): string[] {
  const lines: string[] = [];
  let line = first;
  let isEmpty = true;
  for (const word of text.split(" ")) {
    if (!isEmpty && line.length + 1 + word.length > terminalWidth) {
      lines.push(line);
      line = next;
      isEmpty = true;
    }
    line += isEmpty ? word : ` ${word}`;
    isEmpty = false;
  }
  return [...lines, line];
}
