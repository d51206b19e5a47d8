import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { ColumnSample, MappingQuestion } from "@gatehouse-parking/record-files";
import { missingPaths, repeatedPaths, type ColumnChoice, type MappingChoices } from "./mapping-choices.js";
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
  const ofColumns = Object.entries(choices.columns).flatMap(([column, choice]) =>
    choice && !asked.has(column) ? formatGaps(column, choice, situation) : [],
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
  const [format, ...others] = [choice[topic] ?? choices.others[topic] ?? []].flat() as string[];
  if (format !== undefined && !isKnownFormat(format, topic))
    return [{ column, text: texts.gaps.unknownFormat(format, topic) }];
  if (format !== undefined && others.length === 0) return [];
  const values =
    topic === "time" ? timesOf(samples, column, choice, choices) : valuesOf(samples, column, choices);
  const value = ambiguousValue(values, topic);
  return value === undefined ? [] : [{ column, text: texts.gaps.ambiguous[topic](value) }];
}

function zoneGaps({ resource, choices, samples }: Situation): Gap[] {
  if (choices.timeZone !== null) return [];
  const zoneless = Object.entries(choices.columns).filter(([column, choice]) => {
    if (!choice || topicOf(resource, choice.to) !== "time") return false;
    const values = timesOf(samples, column, choice, choices);
    return values.length > 0 && needsZone(values, choice, fieldOf(resource, choice.to));
  });
  if (zoneless.length === 0) return [];
  return [{ text: texts.gaps.noTimeZone(listOf(zoneless.map(([column]) => `“${column}”`))) }];
}

const maxListed = 5;

function listOf(words: readonly string[]): string {
  const shown = words.slice(0, maxListed);
  if (words.length > maxListed) return texts.gaps.andMore(shown.join(", "), words.length - maxListed);
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : (shown[0] ?? "");
}
