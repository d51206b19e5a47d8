import type { ImportResourceName } from "@gatehouse-parking/contract";
import type { MappingQuestion } from "../record/questions.js";
import {
  LenientLocations,
  LocationIndex,
  unknownLocation,
  zoneFor,
  type KnownLocation,
} from "../record/locations.js";
import { checkFile, type FileCheck } from "../record/check-file.js";
import { toMapping } from "../record/mapping.js";
import type { Table } from "../table.js";
import { readColumn, type Column } from "./columns.js";
import { askAboutProblems } from "./detectors/checked.js";
import { askAboutAccountReference, keepIncompleteObjects } from "./detectors/relations.js";
import { askForRequired } from "./detectors/required.js";
import {
  askAboutMarkedRows,
  askAboutRefunds,
  askAboutUnpaidRows,
  askAboutVoidRows,
  askPlannedOrActual,
} from "./detectors/rows.js";
import { askAboutTurnedTimes } from "./detectors/turned-times.js";
import { placeUnclaimed } from "./detectors/unclaimed.js";
import { askAboutOddValues, askAboutPlaceholders, askAboutUncleanText } from "./detectors/values.js";
import { decideZone } from "./detectors/zone.js";
import { askAboutMatches, placeMatches } from "./detectors/matched.js";
import { Draft, type DraftQuestion, type SuggestedTargets } from "./draft.js";
import { givesOf, samplesOf, type Converter } from "./gives.js";
import { matchColumns, type Matches } from "./match-columns.js";
import type { FileProfile } from "./profile/profile.js";
import { questionText } from "./question-texts.js";
import { singleOf, sourcesOf, type Source } from "./sources.js";
import { targetFor } from "./targets/target.js";

/** The content of a mapping file. */
export interface SuggestedMapping {
  columns: Record<string, SuggestedTargets>;
  timeZone?: string;
}

/** A suggested mapping, and what the owner of the file decides about it. */
export interface Suggestion {
  /** Without the questions. */
  mapping: SuggestedMapping;
  /** Decisions that must be made before the file can be imported. */
  questions: MappingQuestion[];
  /** Assumptions are confirmed together. */
  assumptions: MappingQuestion[];
}

export interface SuggestOptions {
  resource: ImportResourceName;
  profile: FileProfile;
  /** The organization's locations; undefined if unknown. */
  locations: readonly KnownLocation[] | undefined;
}

interface Situation extends Matches {
  sources: readonly Source[];
  check: FileCheck | undefined;
}

/** The steps, in this order. Each may use the targets of those before it. */
const steps: readonly ((draft: Draft, situation: Situation) => void)[] = [
  (draft, { matches }) => placeMatches(matches, draft),
  keepIncompleteObjects,
  (draft, { contested }) => askAboutMatches(contested, draft),
  (draft, situation) => placeUnclaimed(situation, draft),
  (draft, { sources }) => askForRequired(sources, draft),
  decideZone,
  askAboutPlaceholders,
  askAboutOddValues,
  askAboutUncleanText,
  askAboutVoidRows,
  askAboutMarkedRows,
  askAboutRefunds,
  askAboutUnpaidRows,
  askPlannedOrActual,
  askAboutAccountReference,
  (draft, { check }) => askAboutTurnedTimes(check, draft),
  (draft, { check }) => askAboutProblems(check, draft),
];

/** Suggests a mapping. A matching name is not enough: the values must fit the field. */
export function suggestMapping(options: SuggestOptions, check?: FileCheck): Suggestion {
  const { resource, profile, locations } = options;
  const columns = profile.columns.map(readColumn);
  const draft = new Draft(resource, profile, columns, locations, locations && new LocationIndex(locations));
  const sources = sourcesOf(columns);
  const situation = { ...matchColumns(resource, sources), sources, check };
  for (const step of steps) step(draft, situation);
  const mapping = mappingOf(draft);
  const converter: Converter = { resource, profile, mapping: { ...mapping }, locations };
  const asked = draft.questions.map((question) => finished(question, converter));
  return {
    mapping,
    questions: asked.filter(({ kind }) => kind === "question"),
    assumptions: asked.filter(({ kind }) => kind === "assumption"),
  };
}

/** Suggests a mapping, tries it on the whole file, and asks about the rows that it does not fit. */
export async function suggestAndCheck(options: SuggestOptions, table: Table): Promise<Suggestion> {
  const { resource, locations } = options;
  const first = suggestMapping(options);
  const mapping = toMapping({ ...mappingWithQuestions(first), answers: readableWith(first) });
  const check = await checkFile(table, resource, {
    mapping,
    ignoreUnknownColumns: true,
    asksAboutTimes: true,
    timeZone: zoneForCheck(mapping.timeZone, locations),
    locations: new LenientLocations(locations, unknownLocation),
  });
  return suggestMapping(options, check);
}

/**
 * A format for each column that can be read in two ways, and a zone. Otherwise every row would fail for a reason that is
 * asked about, and hide what else is to be asked.
 */
function readableWith({ questions }: Suggestion): Record<string, string> {
  const formats = questions.filter(({ code }) =>
    ["ambiguousTimes", "ambiguousNumbers", "zoneAsked"].includes(code),
  );
  return Object.fromEntries(
    formats.flatMap(({ id, choices: [choice] }) => (choice ? [[id, choice.id]] : [])),
  );
}

function zoneForCheck(
  timeZone: string | undefined,
  locations: SuggestOptions["locations"] = [],
): ReturnType<typeof zoneFor> {
  const zones = zoneFor(timeZone, locations);
  return zones instanceof Map
    ? new Map([...zones, [unknownLocation, locations[0]?.timeZone ?? "UTC"]])
    : zones;
}

function mappingOf(draft: Draft): SuggestedMapping {
  const columns = draft.columns.flatMap(({ name }): [string, SuggestedTargets][] => {
    const targets = draft.targets.get(name);
    if (!targets) return [];
    const [first, ...others] = targets;
    return [[name, first === undefined ? null : others.length === 0 ? first : targets]];
  });
  return {
    columns: Object.fromEntries(columns),
    ...(draft.timeZone === undefined ? {} : { timeZone: draft.timeZone }),
  };
}

function finished(question: DraftQuestion, converter: Converter): MappingQuestion {
  const { id, code, data, rows, choices, assumed } = question;
  const samples = samplesOf(question, converter);
  return {
    id,
    kind: assumed === undefined ? "question" : "assumption",
    code,
    data: { ...data },
    text: questionText(code, data, rows),
    rows: Math.round(rows),
    samples: samples.map(({ text }) => text),
    choices: choices.map((choice) => ({
      id: choice.id,
      patch: { ...choice.patch },
      gives: givesOf(samples, question, choice.patch, converter),
    })),
    ...(assumed === undefined ? {} : { assumed }),
  };
}

/** A mapping file with its questions. */
export function mappingWithQuestions({
  mapping,
  questions,
  assumptions,
}: Suggestion): Record<string, unknown> {
  return { ...mapping, questions: [...questions, ...assumptions] };
}

/** The formats of a column with a given target; only the target if the values do not fit. */
export function suggestTarget(options: SuggestOptions & { path: string; column: string }): SuggestedTargets {
  const { resource, profile, locations, path } = options;
  const columns = profile.columns.filter(({ name }) => name === options.column).map(readColumn);
  const draft = new Draft(resource, profile, columns, locations, locations && new LocationIndex(locations));
  const [column] = columns;
  return (column && targetOfColumn(column, path, draft)) ?? path;
}

function targetOfColumn(column: Column, path: string, draft: Draft): SuggestedTargets | undefined {
  return targetFor(singleOf(column), path, draft);
}
