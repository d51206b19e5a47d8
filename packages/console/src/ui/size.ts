const units = ["bytes", "kB", "MB", "GB", "TB"] as const;

/** A number of bytes as people say it: 12 kB, 3.4 GB. */
export function shownBytes(bytes: number): string {
  let shown = bytes;
  let unit = 0;
  while (shown >= 1_000 && unit < units.length - 1) {
    shown /= 1_000;
    unit += 1;
  }
  return `${shown >= 100 || unit === 0 ? Math.round(shown).toLocaleString("en") : shown.toFixed(1)} ${units[unit] ?? ""}`;
}
