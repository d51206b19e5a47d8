import { refuseDates } from "../../record/column-target.js";
import type { Field } from "../../record/fields.js";
import type { Draft, SuggestedTarget } from "../draft.js";
import { isDateColumn, joinedPatterns, type Source } from "../sources.js";
import { zoneIn } from "../vocabulary/zones.js";

const isoDates = ["yyyy-MM-dd"];
const isoTimes = ["yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-dd'T'HH:mm:ss"];

/** The readings of a source as a time: one, or several with different meanings. */
export function timeReadings({ column, clock, parts }: Source, path: string): SuggestedTarget[] {
  const { times } = column;
  if (parts) {
    const names = [...parts, ...(clock ? [clock] : [])].map(({ name }) => name);
    return [{ to: path, with: names, time: clock ? joinedPatterns(["d M yyyy"], clock) : ["d M yyyy"] }];
  }
  if (!times) return [];
  return [times.patterns, ...times.rivals].flatMap((patterns): SuggestedTarget[] => {
    if (!clock) return [patterns === undefined ? path : { to: path, time: patterns }];
    const joined = joinedPatterns(
      patterns ?? (times.isMidnight ? isoTimes.map(midnightLiteral) : isoDates),
      clock,
    );
    return joined.length === 0 ? [] : [{ to: path, with: clock.name, time: joined }];
  });
}

/** The midnight behind a date, as text. */
function midnightLiteral(pattern: string): string {
  return pattern
    .replace(/[ ]HH:mm(:ss)?$/, (_, seconds) => ` '00:00${seconds ? ":00" : ""}'`)
    .replace("'T'HH:mm:ss", "'T00:00:00'");
}

/** The target of a time; undefined if the values are not times. Asks what they leave open. */
export function timeTarget(
  source: Source,
  path: string,
  field: Field,
  draft: Draft,
): SuggestedTarget | undefined {
  const { column, clock } = source;
  const [target, ...rivals] = timeReadings(source, path);
  const { times } = column;
  if (target !== undefined && source.parts) draft.zoneless.add(column.name);
  if (target === undefined || source.parts) return target;
  if (!times) return undefined;
  const isBare = clock === undefined && isDateColumn(column);
  if (times.withZone < 1 && !(field.takesDates && isBare)) draft.zoneless.add(column.name);
  if (!field.takesDates) askForTimeOfDay(source, path, field, draft);
  if (rivals.length === 0) askAboutCalendar(column, draft);
  if (rivals.length === 0) return target;
  askForFormat(source, [target, ...rivals], draft);
  return unclear(path, [target, ...rivals]);
}

/** The calendar of a date with such a year is certain, but surprising. */
function askAboutCalendar({ name, times, profile }: Source["column"], draft: Draft): void {
  const [pattern = ""] = times?.patterns ?? [];
  const calendar = /^\[([a-z-]+)\]/.exec(pattern)?.[1] ?? (pattern.startsWith("G") ? "Japanese" : undefined);
  if (calendar === undefined) return;
  draft.ask({
    id: `calendar:${name}`,
    code: "calendar",
    data: { column: name, calendar },
    ...{ rows: profile.filled, columns: [name] },
    choices: [{ id: calendar, patch: {} }],
    assumed: calendar,
  });
}

/** As long as the question is open, a value with several meanings is a problem of its row. */
function unclear(path: string, readings: readonly SuggestedTarget[]): SuggestedTarget {
  const [first] = readings;
  if (typeof first === "string" || first?.["with"] === undefined) return path;
  const time = readings.flatMap((target) => (typeof target === "string" ? [] : [target["time"]].flat()));
  return { ...first, time };
}

function askForFormat({ column, clock }: Source, readings: readonly SuggestedTarget[], draft: Draft): void {
  const shown = readings.map(
    (target) => (typeof target === "string" ? isoDates : [target["time"]].flat()) as string[],
  );
  draft.ask({
    id: `times:${column.name}`,
    code: "ambiguousTimes",
    data: {
      column: column.name,
      value: column.times?.example ?? "",
      readings: shown.map(([pattern = ""]) => pattern),
    },
    rows: column.profile.filled,
    columns: [column.name, ...(clock ? [clock.name] : [])],
    choices: shown.map(([pattern = ""], index) => ({
      id: pattern,
      patch: { columns: { [column.name]: { time: shown[index] as string[] } } },
    })),
  });
}

/** A date without a time is never midnight without a question. */
function askForTimeOfDay({ column, clock }: Source, path: string, { isRequired }: Field, draft: Draft): void {
  const { filled } = column.profile;
  const times = column.times;
  if (!times) return;
  const columns = [column.name, ...(clock ? [clock.name] : [])];
  const blank = clock?.name;
  const optional = isRequired
    ? []
    : [{ id: "leave-out", patch: { columns: { [column.name]: { onProblem: "leaveOut" } } } }];
  if (!clock && times.isMidnight) {
    draft.ask({
      id: `midnight:${column.name}`,
      code: "allMidnight",
      data: { column: column.name, path },
      rows: filled,
      columns,
      choices: [
        { id: "midnight", patch: {} },
        ...(isRequired
          ? []
          : [
              {
                id: "metadata",
                patch: { columns: { [column.name]: `metadata.${column.name.replaceAll(".", " ")}` } },
              },
            ]),
      ],
    });
    return;
  }
  const rows = clock
    ? filled - clock.profile.filled + placeholderRows(clock)
    : Math.round((1 - times.withTime) * filled);
  if (rows <= 0) return;
  draft.ask({
    id: `time-of-day:${columns.join(":")}`,
    code: "noTimeOfDay",
    data: { columns, path },
    rows,
    columns,
    ...(blank === undefined ? {} : { blank }),
    choices: [
      ...["00:00", "12:00"].map((time) => ({
        id: time,
        patch: { columns: { [column.name]: { timeOfDay: time } } },
      })),
      ...optional,
      { id: "reject", patch: { columns: { [column.name]: { timeOfDay: refuseDates } } } },
    ],
  });
}

function placeholderRows({ placeholders }: Source["column"]): number {
  return placeholders.reduce((sum, { count }) => sum + count, 0);
}

/** The zone that the headers or the values of all times without one name; undefined if they differ. */
export function zoneOfHeaders(draft: Draft): string | undefined {
  const zones = new Set([...draft.zoneless].map((name) => namedZone(name, draft)));
  const [zone] = zones;
  return zones.size === 1 ? zone : undefined;
}

/** "Tue, 02 Jun 2026 14:35:24 GMT" names its zone by a word instead of an offset. */
export function namedZone(name: string, draft: Draft): string | undefined {
  const patterns = draft.columns.find((column) => column.name === name)?.times?.patterns ?? [];
  const isGmt = patterns.length > 0 && patterns.every((pattern) => pattern.endsWith("'GMT'"));
  return isGmt ? "UTC" : zoneIn(name);
}
