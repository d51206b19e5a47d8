/** Words for "no plate", as letters and digits in upper case. */
const words = new Set(
  [
    "BLANK BLANKPLATE NOPLATE NOPLATES NOTAG NOLICENSE MISSING NONE NULL NA UNK UNKNOWN UNREADABLE UNREGISTERED TEST TEMP",
    "KEINE KEIN OHNE OHNEKENNZEICHEN UNBEKANNT UNLESBAR",
    "AUCUNE SANS SANSPLAQUE INCONNU INCONNUE ILLISIBLE",
    "CARECE SIN SINPLACA SINPLACAS SINMATRICULA NINGUNA DESCONOCIDO DESCONOCIDA ILEGIBLE",
    "NESSUNA SENZATARGA SCONOSCIUTA SCONOSCIUTO",
    "GEEN GEENKENTEKEN ONBEKEND",
    "SEMPLACA SEMMATRICULA NENHUMA DESCONHECIDO DESCONHECIDA",
    "BRAK NIEZNANY NIEZNANA BEZ NEZNAMA NEZNAMY",
    "OKAND OKÄND SAKNAS UKENDT UKJENT INGEN TUNTEMATON EIKILPEA",
    "YOK PLAKASIZ BILINMIYOR",
  ].flatMap((line) => line.split(" ")),
);

/** Shorter plates of one repeated sign exist. */
const minRepeated = 3;

/** Whether a plate seems to stand for a missing one: a word for it, or one sign only, such as XXX or 000000. */
export function isPlaceholderPlate(plate: string): boolean {
  const plain = plate.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  if (plain === "" || words.has(plain)) return true;
  return plain.length >= minRepeated && plain === (plain[0] as string).repeat(plain.length);
}
