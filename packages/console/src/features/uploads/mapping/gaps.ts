import type { ImportResourceName } from "@gatehouse-parking/contract";
import { readTimeFormat, type ColumnSample, type MappingQuestion } from "@gatehouse-parking/record-files";
import {
  joinedWith,
  missingPaths,
  repeatedPaths,
  targetsOf,
  type ColumnChoice,
  type MappingChoices,
} from "./mapping-choices.js";
import {
  ambiguousValue,
  fieldOf,
  isKnownFormat,
  needsZone,
  timesOf,
  topicOf,
  valuesOf,
} from "./value-formats.js";
import { texts } from "./texts.js";

/** Something that a mapping lacks, because the person has changed it or used a saved one. It blocks the check. */
export interface Gap {
  /** Undefined: about the whole file. */
  column?: string;
  text: string;
}

interface Situation {
  resource: ImportResourceName;
  choices: MappingChoices;
  samples: readonly ColumnSample[];
  /** Questions that are open and ask for the same. */
  open: readonly MappingQuestion[];
}

export function gapsOf(situation: Situation): Gap[] {
  const { choices, resource, open } = situation;
  const asked = new Set(open.flatMap(({ data }) => [data["path"], data["column"], data["columns"]].flat()));
  const missing = missingPaths(resource, choices).filter((path) => !asked.has(path));
  const repeated = repeatedPaths(choices);
  const ofColumns = targetsOf(choices).flatMap(({ column, choice }) =>
    asked.has(column) ? [] : formatGaps(column, choice, situation),
  );
  return [
    ...(missing.length > 0 ? [{ text: texts.gaps.missing(listOf(missing), missing.length === 1) }] : []),
    ...(repeated.length > 0 ? [{ text: texts.gaps.repeated(listOf(repeated)) }] : []),
    ...(open.some(({ id }) => id === "zone") ? [] : zoneGaps(situation)),
    ...ofColumns,
  ];
}

function formatGaps(column: string, choice: ColumnChoice, { resource, choices, samples }: Situation): Gap[] {
  const topic = topicOf(resource, choice.to);
  if (topic !== "time" && topic !== "number") return [];
  if (topic === "time" && lacksTime(column, choice, { resource, choices, samples }))
    return [{ column, text: texts.gaps.noTimeOfDay }];
  const [format, ...others] = [choice[topic] ?? choices.others[topic] ?? []].flat() as string[];
  if (format !== undefined && !isKnownFormat(format, topic))
    return [{ column, text: texts.gaps.unknownFormat(format, topic) }];
  if (format !== undefined && others.length === 0) return [];
  const values =
    topic === "time" ? timesOf(samples, column, choice, choices) : valuesOf(samples, column, choices);
  const value = ambiguousValue(values, topic);
  return value === undefined ? [] : [{ column, text: texts.gaps.ambiguous[topic](value) }];
}

/** Whether some dates would become midnight without a word. */
function lacksTime(
  column: string,
  choice: ColumnChoice,
  { resource, choices, samples }: Omit<Situation, "open">,
): boolean {
  const isDecided = choice.timeOfDay !== undefined || choice.onProblem !== undefined;
  if (isDecided || joinedWith(choice).length > 0 || fieldOf(resource, choice.to)?.takesDates) return false;
  const [pattern] = [choice.time ?? choices.others["time"] ?? []].flat() as string[];
  if (pattern !== undefined) return readTimeFormat(pattern)?.hasTime === false;
  return valuesOf(samples, column, choices).some((value) => isoDate.test(value));
}

const isoDate = /^\d{4}-\d{2}-\d{2}$/;

function zoneGaps({ resource, choices, samples }: Situation): Gap[] {
  if (choices.timeZone !== null) return [];
  const zoneless = targetsOf(choices).filter(({ column, choice }) => {
    if (topicOf(resource, choice.to) !== "time") return false;
    const values = timesOf(samples, column, choice, choices);
    return values.length > 0 && needsZone(values, choice, fieldOf(resource, choice.to));
  });
  if (zoneless.length === 0) return [];
  return [{ text: texts.gaps.noTimeZone(listOf([...new Set(zoneless.map(({ column }) => `“${column}”`))])) }];
}

const maxListed = 5;

function listOf(words: readonly string[]): string {
  const shown = words.slice(0, maxListed);
  if (words.length > maxListed) return texts.gaps.andMore(shown.join(", "), words.length - maxListed);
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : (shown[0] ?? "");
}
