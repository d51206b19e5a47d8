/**
 * JavaScript engines list some zones by names that the IANA database has replaced. The console shows the
 * current names, which engines accept too.
 */
const renamed: Readonly<Record<string, string>> = {
  "Africa/Asmera": "Africa/Asmara",
  "America/Buenos_Aires": "America/Argentina/Buenos_Aires",
  "America/Catamarca": "America/Argentina/Catamarca",
  "America/Coral_Harbour": "America/Atikokan",
  "America/Cordoba": "America/Argentina/Cordoba",
  "America/Godthab": "America/Nuuk",
  "America/Indianapolis": "America/Indiana/Indianapolis",
  "America/Jujuy": "America/Argentina/Jujuy",
  "America/Louisville": "America/Kentucky/Louisville",
  "America/Mendoza": "America/Argentina/Mendoza",
  "Asia/Calcutta": "Asia/Kolkata",
  "Asia/Katmandu": "Asia/Kathmandu",
  "Asia/Rangoon": "Asia/Yangon",
  "Asia/Saigon": "Asia/Ho_Chi_Minh",
  "Atlantic/Faeroe": "Atlantic/Faroe",
  "Europe/Kiev": "Europe/Kyiv",
  "Pacific/Enderbury": "Pacific/Kanton",
  "Pacific/Ponape": "Pacific/Pohnpei",
  "Pacific/Truk": "Pacific/Chuuk",
};

export function listTimeZones(): string[] {
  const zones = Intl.supportedValuesOf("timeZone").map((zone) => renamed[zone] ?? zone);
  return [...new Set([...zones, "UTC"])].toSorted();
}

/**
 * Corrects only the case of a zone name. The runtime accepts any case, but replaces links by other zones:
 * US/Eastern would become America/New_York, and Asia/Kolkata even Asia/Calcutta.
 */
const lowerWords = new Set(["au", "es", "of"]);
const irregularWords = [
  ...["ACT", "CDT", "CHAT", "CST", "EDT", "EST", "GB", "GMT", "IN", "LHI", "MDT", "MST", "NSW", "NZ", "PDT"],
  ...["PST", "SU", "UCT", "US", "UTC"],
  ...["BajaNorte", "BajaSur", "ComodRivadavia", "DeNoronha", "DumontDUrville", "EasterIsland", "McMurdo"],
];
const irregular = new Map(irregularWords.map((word) => [word.toLowerCase(), word]));

export function spellZone(zone: string): string {
  const lower = zone.toLowerCase();
  // CET, PRC and the like. All other names of one word are longer.
  if (/^[a-z]{3}$/.test(lower)) return lower.toUpperCase();
  return lower.replaceAll(/[a-z]+/g, (word, at: number) => {
    if (at > 0 && lowerWords.has(word)) return word;
    return irregular.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1);
  });
}

/** -14400 as -04:00. Seconds are shown if there are any, which only historic local mean times have. */
export function formatOffset(offsetSeconds: number): string {
  const sign = offsetSeconds < 0 ? "-" : "+";
  const total = Math.abs(offsetSeconds);
  const seconds = total % 60 === 0 ? "" : `:${pad(total % 60)}`;
  return `${sign}${pad(Math.floor(total / 3600))}:${pad(Math.floor(total / 60) % 60)}${seconds}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
