import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import type { ColumnSample, MappingQuestion } from "@gatehouse-parking/record-files";
import { missingPaths, repeatedPaths, type ColumnChoice, type MappingChoices } from "./mapping-choices.js";
import {
  ambiguousValue,
  fieldOf,
  isKnownFormat,
  needsZone,
  timesOf,
  topicOf,
  unknownEnumValues,
  unknownLocations,
  valuesOf,
} from "./value-formats.js";
import { texts } from "../texts.js";

/** A question that only the owner of the file can answer, or an error. */
export interface OpenQuestion {
  /** Undefined: about the whole file. */
  column?: string;
  text: string;
  /** Blocks the check. Otherwise only rows fail that could be right. */
  isBlocking: boolean;
}

interface Situation {
  resource: ImportResourceName;
  choices: MappingChoices;
  samples: readonly ColumnSample[];
  locations: readonly Location[];
  /** What the suggestion could not decide. */
  remarks: readonly MappingQuestion[];
}

export function openQuestions(situation: Situation): OpenQuestion[] {
  const { choices, resource, remarks } = situation;
  const ofColumns = Object.entries(choices.columns).flatMap(([column, choice]) =>
    choice ? columnQuestions(column, choice, situation).map((question) => ({ column, ...question })) : [],
  );
  const missing = missingPaths(resource, choices);
  const repeated = repeatedPaths(choices);
  return [
    ...(missing.length > 0 ? [blocking(texts.questions.missing(listOf(missing), missing.length === 1))] : []),
    ...(repeated.length > 0 ? [blocking(texts.questions.repeated(listOf(repeated)))] : []),
    ...zoneQuestions(situation),
    ...ofColumns,
    ...remarks.flatMap((question) => unsureQuestions(question, choices)),
  ];
}

/** The questions above cover fields without a column, formats and values. */
function unsureQuestions({ code, text, data }: MappingQuestion, choices: MappingChoices): OpenQuestion[] {
  const path = data["path"];
  if (code === "requiredMissing" || code === "zoneAsked" || code.startsWith("unknown")) return [];
  if (code.startsWith("ambiguous") || Object.values(choices.columns).some((choice) => choice?.to === path))
    return [];
  const column = data["column"];
  const choice = typeof column === "string" ? choices.columns[column] : undefined;
  if (choice && !choice.to.startsWith("metadata.")) return [];
  return [{ ...(typeof column === "string" ? { column } : {}), text, isBlocking: false }];
}

function blocking(text: string): OpenQuestion {
  return { text, isBlocking: true };
}

function columnQuestions(column: string, choice: ColumnChoice, situation: Situation): OpenQuestion[] {
  const { resource, choices, samples, locations } = situation;
  const topic = topicOf(resource, choice.to);
  const values = valuesOf(samples, column, choices);
  if (topic === "time" || topic === "number") return formatQuestions(column, choice, topic, situation);
  if (topic === "values") {
    const names = fieldOf(resource, choice.to)?.names ?? {};
    return unanswered(unknownEnumValues(values, names), choice, texts.questions.meaning);
  }
  if (topic === "location")
    return unanswered(unknownLocations(values, choice.location, locations), choice, texts.questions.location);
  return [];
}

function formatQuestions(
  column: string,
  choice: ColumnChoice,
  topic: "time" | "number",
  { choices, samples }: Situation,
): OpenQuestion[] {
  const [format, ...others] = [choice[topic] ?? choices.others[topic] ?? []].flat() as string[];
  if (format !== undefined && !isKnownFormat(format, topic))
    return [blocking(texts.questions.unknownFormat(format, topic))];
  if (format !== undefined && others.length === 0) return [];
  const values =
    topic === "time" ? timesOf(samples, column, choice, choices) : valuesOf(samples, column, choices);
  const value = ambiguousValue(values, topic);
  if (value === undefined) return [];
  return [blocking(texts.questions.ambiguous[topic](value))];
}

function unanswered(
  unknown: readonly string[],
  choice: ColumnChoice,
  question: (words: string) => string,
): OpenQuestion[] {
  const open = unknown.filter((value) => choice.values?.[value] === undefined);
  if (open.length === 0) return [];
  return [
    {
      text: question(listOf(open.map((value) => `“${value}”`))),
      isBlocking: false,
    },
  ];
}

function zoneQuestions({ resource, choices, samples }: Situation): OpenQuestion[] {
  if (choices.timeZone !== null) return [];
  const zoneless = Object.entries(choices.columns).filter(([column, choice]) => {
    if (!choice || topicOf(resource, choice.to) !== "time") return false;
    const values = timesOf(samples, column, choice, choices);
    return values.length > 0 && needsZone(values, choice, fieldOf(resource, choice.to));
  });
  if (zoneless.length === 0) return [];
  const names = listOf(zoneless.map(([column]) => `“${column}”`));
  return [blocking(texts.questions.noTimeZone(names))];
}

const maxListed = 5;

function listOf(words: readonly string[]): string {
  const shown = words.slice(0, maxListed);
  if (words.length > maxListed) return texts.questions.andMore(shown.join(", "), words.length - maxListed);
  return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : (shown[0] ?? "");
}
