/** A time of day such as 07:30 or 07:30:15, as HH:mm:ss. */
export function readClockTime(text: string): string | undefined {
  return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(text) ? text.padEnd(8, ":00") : undefined;
}
