const maxLength = 80;

/** A cell may hold megabytes; a page shows enough of it to recognize it. */
export function shortText(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
