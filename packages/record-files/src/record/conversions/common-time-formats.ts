import { readTimeFormat, type TimeFormat } from "./time-format.js";

/** Common date formats; a text may match several. Each can have each of the times behind it. */
export const dateFormats = [
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
  "d. M. yyyy",
  "yyyy. M. d.",
  "yyyy.M.d.",
  "yyyy年M月d日",
  "EEE, d MMM yyyy",
  "EEE, d-MMM-yy",
  "d-M-yy",
  "M-d-yy",
  "d 'de' MMM 'de' yyyy",
];
const byCalendar: Readonly<Record<string, readonly string[]>> = {
  "[buddhist]": ["d/M/yyyy", "d-M-yyyy", "d.M.yyyy", "yyyy-M-d", "yyyy/M/d", "yyyyMMdd", "d/M/yy", "d-M-yy"],
  "[minguo]": ["y/M/d", "y-M-d", "y.M.d", "y年M月d日", "民國y年M月d日", "yyyMMdd"],
  "[persian]": ["yyyy/M/d", "yyyy-M-d", "yyyyMMdd", "d/M/yyyy"],
  "[islamic]": ["d/M/yyyy", "d-M-yyyy", "yyyy/M/d", "yyyy-M-d"],
  "[islamic-civil]": ["d/M/yyyy", "d-M-yyyy", "yyyy/M/d", "yyyy-M-d"],
  "": ["Gy年M月d日", "Gy.M.d", "Gy/M/d", "Gy-M-d"],
};
/** Dates of other calendars, which are tried if no other format fits. */
export const calendarDateFormats = Object.entries(byCalendar).flatMap(([calendar, dates]) =>
  dates.map((date) => calendar + date),
);
export const timeFormats = [
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
  " H.mm",
  " HHmm",
  " Hmm",
  " hhmma",
  "-H:mm",
  " H:mm:ss X",
  " H:mm X",
  " ah:mm",
  " a h:mm",
  " a h:mm:ss",
  " 'kl.' H:mm",
  " 'kl.' H.mm",
  " H:mm 'Uhr'",
];
/** Times behind a date of another calendar, as ISO 8601 writes them. The years of the Gregorian one need no format. */
export const isoTimeFormats = ["THH:mm", "THH:mmX", "THH:mm:ssX", "THH:mm:ss.S", "THH:mm:ss.SX"];
const others = [
  ...["yyyyMMddHHmmss", "yyyyMMdd HHmmss", "yyyy-MM-dd h:mm a", "yyyy-MM-dd h:mm:ss a"],
  ...["yyyy-M-d H:mm", "yyyy-M-d H:mm:ss", "yyyy-MM-dd HHmm", "yyyy-MM-dd hhmma"],
];

let formats: readonly TimeFormat[] | undefined;

/** All formats that are tried when none is declared. */
export function commonTimeFormats(): readonly TimeFormat[] {
  formats ??= [...dateFormats.flatMap((date) => timeFormats.map((time) => date + time)), ...others].map(
    (pattern) => readTimeFormat(pattern) as TimeFormat,
  );
  return formats;
}

/** The formats that match a text, one for each distinct meaning. */
export function matchingTimeFormats(text: string): TimeFormat[] {
  if (!/\d/.test(text) || text.length > 40) return [];
  const byMeaning = new Map<string, TimeFormat>();
  for (const format of commonTimeFormats()) {
    const time = format.read(text);
    const meaning = time && `${time.date} ${time.time}`;
    if (meaning !== undefined && !byMeaning.has(meaning)) byMeaning.set(meaning, format);
  }
  return [...byMeaning.values()];
}
