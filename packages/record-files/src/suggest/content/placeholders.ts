import type { ColumnProfile } from "../profile/column-profile.js";
import { isErrorValue } from "../../rows/cell-text.js";
import { isNumberLike } from "./numbers.js";
import { shapeOf } from "../profile/shape.js";
import { plainHeader } from "../vocabulary/header-words.js";

/** A value that seems to mean that a cell is empty. */
export interface Placeholder {
  value: string;
  count: number;
  /** Whether the value means nothing else in any column. */
  isCertain: boolean;
}

/** Written in full, with their punctuation. */
const certain = new Set(
  `n/a #n/a n.a. n/d n.d. \\n (null) null <null> nil none (none) nan undefined - -- --- – — . .. ? ?? ??? * k.a. k. a. n.v.t. s/o s/d n/k 
  (blank) (empty) [null] {} [] "" '' _ / // n/v b.d. н/д б/н`.split(/\s+/),
);

/** Words and codes that may also be a value. Compared without case, accents and punctuation. */
const possible = new Set(
  `na nd unknown unk unbekannt ohne keine kein keineangabe leer inconnu inconnue aucun aucune nonrenseigne vide desconocido
  desconocida ninguno ninguna sindato sindatos vacio sconosciuto nessuno nessuna assente vuoto onbekend geen leeg desconhecido semdados
  nenhum vazio brak brakdanych nieznany nieznana neznamy neznama neuvedeno neuvedene zadny nicht ismeretlen nincs nincsadat necunoscut
  lipsa fara okand saknas ingen tom ukendt ukjent mangler tuntematon eitietoa puuttuu tyhja bilinmiyor yok bos неизвестно неизвестен нет
  нетданных пусто отсутствует невідомо немає немаєданих порожньо αγνωστο αγνωστοσ κενο καμια لايوجد غيرمعروف مجهول فارغ לאידוע אין ריק なし 無し 不明 未設定 無 无 不详
  未知 空 없음 미상 해당없음 blank empty missing notavailable notapplicable noplate nolpr unreadable blankplate test noname tbd tba xxx xx x
  xxxx xxxxx xxxxxx 0 00 000 0000 00000 000000 0000000 99999 999999 9999 0000000000 9999999999`
    .split(/\s+/)
    .map(plainHeader),
);

/** Dates and addresses that systems write instead of nothing. */
const fillValues =
  /^(?:0000-00-00|1899-12-3[01]|00[/.]00[/.]0000|1900-01-0[01]|0?1[/.]0?1[/.]1900|1970-01-01|9999-12-31|31[/.]12[/.]9999|12[/.]31[/.]9999|1753-01-01|0001-01-01)(?:[T ]00:00(?::00(?:\.0{1,7})?)?Z?)?$/;
const fillEmails = /^(?:none|noreply|no-reply|na|test|unknown|noemail|nomail)@/i;
const fillDates = (value: string) => fillValues.test(value) || fillEmails.test(value);

/** A value of a column of different values that comes this often is hardly one of them. */
const minRepeats = 3;
const minShare = 0.01;
const repeatsOfOthers = 5;
const maxPlaceholders = 20;
/** Rows whose value has the shape of the placeholder, though they mean something. */
const maxAlike = 0.1;

/** Finds values that seem to mean nothing. Flags and codes keep their 0 and N. */
export function placeholdersOf(profile: ColumnProfile): Placeholder[] {
  const { values, filled, shapes } = profile;
  const rowsOfShape = new Map(shapes.map(({ shape, count }) => [shape, count]));
  /** Whether the other values of the column look different. */
  const isAlone = ({ value, count }: { value: string; count: number }) =>
    (rowsOfShape.get(shapeOf(value).text) ?? 0) - count <= filled * maxAlike;
  const isDifferent = isMostlyDifferent(profile);
  const usual = values[Math.floor(values.length / 2)]?.count ?? 1;
  return values
    .flatMap(({ value, count }): Placeholder[] => {
      if (certain.has(value.toLowerCase()) || isErrorValue(value)) return [{ value, count, isCertain: true }];
      const isWord =
        possible.has(plainHeader(value)) &&
        (/^\d+$/.test(value) ? isDifferent : !/^[\d.,]/.test(value)) &&
        !isCode(value, profile);
      const isFrequent =
        isDifferent &&
        count >= minRepeats &&
        count > filled * minShare &&
        count >= usual * repeatsOfOthers &&
        (isAlone({ value, count }) ? !isNumberLike(value) : /^(.)\1{3,}$/u.test(value));
      return isWord || isFrequent || fillDates(value) ? [{ value, count, isCertain: false }] : [];
    })
    .slice(0, maxPlaceholders);
}

/** Whether most rows have different values, as in columns of ids, plates and names. */
export function isMostlyDifferent({ values, hasAllValues, filled }: ColumnProfile): boolean {
  if (!hasAllValues) return true;
  const single = values.filter(({ count }) => count <= 2).length;
  return values.length > 10 && single > values.length / 2 && values.length > filled / 10;
}

/** Letters among other codes of the same length, such as ND for North Dakota, stay unless they stand alone. */
function isCode(value: string, { values }: ColumnProfile): boolean {
  if (!/^[A-Za-z]{1,2}$/.test(value)) return false;
  const alike = values.filter((other) => other.value.length === value.length).length;
  return alike > values.length / 2 && alike > 1;
}
