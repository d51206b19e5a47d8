import { readTimeFormat, type TimeFormat } from "./time-format.js";

/** How other systems write dates; in each group, the same text may fit several. */
const dates = [
  "M/d/yyyy",
  "d/M/yyyy",
  "d.M.yyyy",
  "M-d-yyyy",
  "d-M-yyyy",
  "yyyy/M/d",
  "yyyy.M.d",
  "yyyyMMdd",
  "M/d/yy",
  "d/M/yy",
  "d.M.yy",
  "d MMM yyyy",
  "d-MMM-yyyy",
  "d-MMM-yy",
  "d. MMM yyyy",
  "MMM d, yyyy",
  "MMM d yyyy",
];
const times = [
  "",
  " H:mm:ss",
  " H:mm",
  " h:mm:ss a",
  " h:mm a",
  " h:mma",
  " H:mm:ss.S",
  "THH:mm:ss",
  ", H:mm",
  ", h:mm a",
];
const others = ["yyyyMMddHHmmss", "yyyyMMdd HHmmss", "yyyy-MM-dd h:mm a", "yyyy-MM-dd h:mm:ss a"];

let formats: readonly TimeFormat[] | undefined;

/** Every format that is looked for when nobody has said one. */
export function knownTimeFormats(): readonly TimeFormat[] {
  formats ??= [...dates.flatMap((date) => times.map((time) => date + time)), ...others].map(
    (pattern) => readTimeFormat(pattern) as TimeFormat,
  );
  return formats;
}

/** The formats that a text is written in, if they mean different times; only one of them if they mean the same. */
export function timeFormatsOf(text: string): TimeFormat[] {
  if (!/\d/.test(text) || text.length > 40) return [];
  const byMeaning = new Map<string, TimeFormat>();
  for (const format of knownTimeFormats()) {
    const time = format.read(text);
    const meaning = time && `${time.date} ${time.time}`;
    if (meaning !== undefined && !byMeaning.has(meaning)) byMeaning.set(meaning, format);
  }
  return [...byMeaning.values()];
}
