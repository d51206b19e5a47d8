/** Zones that abbreviations in headers mean without doubt. */
const named: Readonly<Record<string, string>> = { utc: "UTC", gmt: "UTC", zulu: "UTC", z: "UTC" };

/** The zone that a header names, such as "Entry (UTC)" or "Paid at UTC+1"; undefined if there is none. */
export function zoneIn(header: string): string | undefined {
  const match = /(?:^|[^a-z])(utc|gmt|zulu)(?: ?([+-])(\d{1,2})(?::?(\d{2}))?)?(?:$|[^a-z0-9])/i.exec(header);
  if (!match) return undefined;
  const [, name = "", sign, hours, minutes = "00"] = match;
  if (sign === undefined || hours === undefined) return named[name.toLowerCase()];
  // IANA zones with fixed offsets have whole hours and the opposite sign.
  if (minutes !== "00" || Number(hours) > 12) return undefined;
  return Number(hours) === 0 ? "UTC" : `Etc/GMT${sign === "+" ? "-" : "+"}${Number(hours)}`;
}
