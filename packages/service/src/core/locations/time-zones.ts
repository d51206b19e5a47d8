/**
 * The zones to choose from. JavaScript engines list some by names that the IANA database has since replaced, and
 * nobody looks for Kolkata under Calcutta; the replaced ones are shown by today's names, which are understood as well.
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
 * The IANA database's own spelling of a zone, however its letters were typed. The runtime understands any case, but
 * gives back another zone for a link: US/Eastern would become America/New_York, and Asia/Kolkata even Asia/Calcutta.
 * Which of them somebody means is not ours to decide, so only the case is put right: by the rules that the names
 * follow and the few that follow none.
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
  // CET, PRC and their like; every other name of one word is longer.
  if (/^[a-z]{3}$/.test(lower)) return lower.toUpperCase();
  return lower.replaceAll(/[a-z]+/g, (word, at: number) => {
    if (at > 0 && lowerWords.has(word)) return word;
    return irregular.get(word) ?? word.charAt(0).toUpperCase() + word.slice(1);
  });
}

/** -14400 as -04:00. Seconds, which only historic local mean times have, are shown where there are any. */
export function formatOffset(offsetSeconds: number): string {
  const sign = offsetSeconds < 0 ? "-" : "+";
  const total = Math.abs(offsetSeconds);
  const seconds = total % 60 === 0 ? "" : `:${pad(total % 60)}`;
  return `${sign}${pad(Math.floor(total / 3600))}:${pad(Math.floor(total / 60) % 60)}${seconds}`;
}

function pad(value: number): string {
  return String(value).padStart(2, "0");
}
