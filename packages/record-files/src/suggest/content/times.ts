import {
  calendarDateFormats,
  dateFormats,
  isoTimeFormats,
  timeFormats,
} from "../../record/conversions/common-time-formats.js";
import { readTimeFormat, type TimeFormat, type WrittenTime } from "../../record/conversions/time-format.js";
import { plainDigits } from "../../record/conversions/plain-digits.js";
import { shareOf, type Weighted } from "./weighted.js";

/** How the times of a column are written. */
export interface TimeSpelling {
  /** Undefined: as the contract writes them. */
  patterns: string[] | undefined;
  /** Other formats that read the same values, with other meanings. */
  rivals: string[][];
  /** A value that the rivals read differently. */
  example: string | undefined;
  /** The share of the rows that have a time of day, and a zone. */
  withTime: number;
  withZone: number;
  /** Whether all times of day are midnight, as a spreadsheet writes dates. */
  isMidnight: boolean;
  /** Values that are not in this format or in no plausible year, and their rows. */
  odd: Weighted[];
}

interface Family {
  lastYear?: string;
  read(value: string): (WrittenTime & { pattern: string | undefined }) | undefined;
}

/** Rows that may have something else than a time before the column is no longer one of times. */
const maxOdd = 0.2;
const firstYear = "1990";
const lastYear = "2099";
/** Years with two digits, and years of other calendars, that are later than this are read in another way. */
const lastDoubtfulYear = "2039";

const isoTime =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?: ?([Zz]|[+-]\d{2}(?::?\d{2})?))?)?$/;

const iso: Family = {
  read: (value) => {
    const match = isoTime.exec(value);
    return match
      ? { date: match[1] as string, time: match[2], zone: match[3], pattern: undefined }
      : undefined;
  },
};

let families: readonly Family[] | undefined;

function allFamilies(): readonly Family[] {
  families ??= [
    iso,
    ...dateFormats.map((date) =>
      familyOf(
        timeFormats.map((time) => date + time),
        date.includes("yyyy") ? lastYear : lastDoubtfulYear,
      ),
    ),
    familyOf(["yyyyMMddHHmmss", "yyyyMMddHHmm"]),
    familyOf(timeFormats.map((time) => `yyyy-M-d${time}`)),
  ];
  return families;
}

/** Values of one family differ only in how they write the time of day. */
function familyOf(patterns: readonly string[], latest = lastYear): Family {
  let formats = patterns.map(readTimeFormat).filter((format): format is TimeFormat => format !== undefined);
  return {
    lastYear: latest,
    read: (value) => {
      for (const format of formats) {
        const time = format.read(value);
        if (!time) continue;
        if (format !== formats[0]) formats = [format, ...formats.filter((other) => other !== format)];
        return { ...time, pattern: format.pattern };
      }
      return undefined;
    },
  };
}

let calendarFamilies: readonly Family[] | undefined;

/** Only for values that no format of the Gregorian calendar reads. */
function familiesOfCalendars(): readonly Family[] {
  calendarFamilies ??= calendarDateFormats.map((date) =>
    familyOf(
      [...timeFormats, ...isoTimeFormats].map((time) => date + time),
      lastDoubtfulYear,
    ),
  );
  return calendarFamilies;
}

/** These look like any number, so only the name of a column can make its values times. */
const numberFamilies = [familyOf(["unix"]), familyOf(["unix-ms"]), familyOf(["serial"])];

interface FamilyResult {
  meanings: (string | undefined)[];
  patterns: Set<string | undefined>;
  rows: number;
  timed: number;
  zoned: number;
  midnight: number;
}

/** `withNumbers`: whether numbers may be times, such as seconds since 1970. */
export function spellingOfTimes(
  values: readonly Weighted[],
  { withNumbers = false } = {},
): TimeSpelling | undefined {
  if (values.length === 0 || shareOf(values, isTimeLike) < 1 - maxOdd) return undefined;
  const candidates = [...allFamilies(), ...(withNumbers ? numberFamilies : [])];
  const first = spellingBy(candidates, values, maxOdd) ?? spellingBy(familiesOfCalendars(), values, maxOdd);
  if (!first) return undefined;
  if (first.odd.length === 0 || first.rivals.length > 0) return first;
  // Some rows may have times in another format, which reads none of the others.
  const second = spellingBy(candidates, first.odd, 0);
  if (!second || second.rivals.length > 0) return first;
  const patterns = [first.patterns ?? isoPatterns, second.patterns ?? isoPatterns].flat();
  return { ...first, patterns: [...new Set(patterns)], odd: second.odd };
}

const isoPatterns = ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-ddTHH:mm:ss"];

/** A quick look, because every format is tried on the rest. */
function isTimeLike(value: string): boolean {
  return value.length <= 40 && /\d\D*\d/.test(plainDigits(value));
}

function spellingBy(
  candidates: readonly Family[],
  values: readonly Weighted[],
  oddShare: number,
): TimeSpelling | undefined {
  const all = values.reduce((sum, { rows }) => sum + rows, 0);
  const results = candidates.flatMap((family) => resultOf(family, values, all * oddShare) ?? []);
  const most = Math.max(0, ...results.map(({ rows }) => rows));
  const byMeaning = new Map<string, FamilyResult>();
  for (const result of results) {
    const key = result.meanings.join("|");
    if (result.rows >= most && !byMeaning.has(key)) byMeaning.set(key, result);
  }
  const [best, other] = byMeaning.values();
  if (!best) return undefined;
  const at = other ? best.meanings.findIndex((meaning, index) => meaning !== other.meanings[index]) : -1;
  return {
    patterns: patternsOf(best),
    rivals: [...byMeaning.values()].slice(1).flatMap((result) => [patternsOf(result) ?? []]),
    example: values[at]?.value,
    withTime: best.timed / best.rows,
    withZone: best.zoned / best.rows,
    isMidnight: best.timed > 0 && best.midnight === best.timed,
    odd: values.filter((_, index) => best.meanings[index] === undefined),
  };
}

function patternsOf({ patterns }: FamilyResult): string[] | undefined {
  const named = [...patterns].filter((pattern) => pattern !== undefined);
  return named.length === 0 ? undefined : named;
}

function resultOf(family: Family, values: readonly Weighted[], maxOddRows: number): FamilyResult | undefined {
  const result: FamilyResult = {
    meanings: [],
    patterns: new Set(),
    rows: 0,
    timed: 0,
    zoned: 0,
    midnight: 0,
  };
  let odd = 0;
  for (const { value, rows } of values) {
    const time = family.read(value);
    const year = time?.date.slice(0, 4) ?? "";
    const isPlausible = time && year >= firstYear && year <= (family.lastYear ?? lastYear);
    if (!isPlausible) {
      odd += rows;
      if (odd > maxOddRows) return undefined;
      result.meanings.push(undefined);
      continue;
    }
    result.meanings.push(`${time.date} ${time.time ?? ""}`);
    result.patterns.add(time.pattern);
    result.rows += rows;
    if (time.time !== undefined) result.timed += rows;
    if (time.zone !== undefined) result.zoned += rows;
    if (time.time !== undefined && /^00:00(?::00(?:\.0+)?)?$/.test(time.time)) result.midnight += rows;
  }
  return result.rows === 0 ? undefined : result;
}

const clock = /^(\d{1,2})[:.hH](\d{2})(?:[:.](\d{2})(?:\.\d{1,3})?)?(?:[ \u202f]?[AaPp]\.?[Mm]?\.?)?$/;

/** "0747A" */
const compactClock = /^(\d{2})(\d{2})[AaPp][Mm]?$/;

/** Whether a value is a time of day. A duration of less than a day looks the same. */
export function isClock(value: string): boolean {
  const text = plainDigits(value);
  const match = clock.exec(text) ?? compactClock.exec(text);
  return match !== null && Number(match[1]) < 24 && Number(match[2]) < 60;
}

/** The patterns that read times of day. */
export const clockPatterns = [
  "H:mm:ss",
  "H:mm",
  "h:mm:ss a",
  "h:mm a",
  "h:mma",
  "H.mm",
  "H:mm:ss.S",
  "Hmm",
  "HHmm",
  "HHmmss",
  "hhmma",
];
