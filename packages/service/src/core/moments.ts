import { parseTimestamp } from "@gatehouse-parking/contract";

/** The moment that a text names. A schema has already checked the text. */
export function momentOf(text: string): Date;
export function momentOf(text: string | undefined): Date | undefined;
export function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(parseTimestamp(text) ?? Number.NaN);
}
