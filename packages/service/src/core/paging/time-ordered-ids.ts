/**
 * Identifiers are UUIDv7: their first 48 bits are the millisecond they were made in. So a range of time is a range of
 * identifiers, and the primary key finds it.
 */

/** The smallest identifier that can have been made at or after this moment. */
export function firstIdAt(moment: Date): string {
  const milliseconds = Math.min(Math.max(0, moment.getTime()), 2 ** 48 - 1);
  const hex = milliseconds.toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** When an identifier was made. */
export function momentOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}
