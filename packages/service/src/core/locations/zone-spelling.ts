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
