import { isObject } from "@gatehouse-parking/contract";
import { mergePatches, type MappingQuestion, type Suggestion } from "@gatehouse-parking/record-files";
import {
  choicesOfColumn,
  contentOfColumn,
  type ColumnChoice,
  type MappingContent,
} from "../mapping/mapping-choices.js";

/** The chosen choices by the ids of their questions. */
export type Answers = Readonly<Record<string, string>>;

/** The answer of a person who sets the columns by hand. */
export const ownAnswer = "own";

export function allQuestions({ questions, assumptions }: Suggestion): MappingQuestion[] {
  return [...questions, ...assumptions];
}

/** The suggested mapping with the answers, and with the assumptions that have no answer yet. */
export function answeredMapping(suggestion: Suggestion, answers: Answers): MappingContent {
  const patches = allQuestions(suggestion).flatMap(({ id, assumed, choices }) => {
    const choice = choices.find((one) => one.id === (answers[id] ?? assumed));
    return choice ? [choice.patch] : [];
  });
  return { ...mergePatches({ ...suggestion.mapping }, patches) };
}

export function openQuestions(suggestion: Suggestion, answers: Answers): MappingQuestion[] {
  return allQuestions(suggestion).filter(({ id }) => answers[id] === undefined);
}

/** Questions for a required field, once the mapping has a source for it. */
export function settledByFields({ questions }: Suggestion, missing: readonly string[]): Answers {
  const settled = questions.filter(
    ({ code, data }) => code === "requiredMissing" && !missing.includes(String(data["path"])),
  );
  return Object.fromEntries(settled.map(({ id }) => [id, ownAnswer]));
}

/** Answers assumptions by what was assumed. */
export function confirmAll(assumptions: readonly MappingQuestion[]): Answers {
  return Object.fromEntries(assumptions.map(({ id, assumed }) => [id, assumed ?? ownAnswer]));
}

/** Replaces what the answers have changed in a mapping. What the person has edited by hand stays. */
export function withAnswers(
  current: MappingContent,
  before: MappingContent,
  after: MappingContent,
): MappingContent {
  const columns = mergedMembers(columnsOf(current), columnsOf(before), columnsOf(after), (_, ...column) =>
    mergedColumn(...column),
  );
  return { ...mergedMembers(current, before, after, mergedMember), columns };
}

type Members = Record<string, unknown>;

function columnsOf(content: MappingContent): Members {
  return (content["columns"] ?? {}) as Members;
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Takes each member from where it was changed since `before`. `merge` decides if that is so in both. */
function mergedMembers(
  current: Members,
  before: Members,
  after: Members,
  merge: (name: string, current: unknown, before: unknown, after: unknown) => unknown,
): Members {
  const names = [...new Set([...Object.keys(current), ...Object.keys(after)])];
  const valueOf = (name: string) => {
    const values = [current[name], before[name], after[name]] as const;
    if (isEqual(values[0], values[1])) return values[2];
    return isEqual(values[1], values[2]) ? values[0] : merge(name, ...values);
  };
  return Object.fromEntries(
    names.map((name) => [name, valueOf(name)] as const).filter(([, value]) => value !== undefined),
  );
}

/** Lists to which several answers add. */
const growing: ReadonlySet<string> = new Set(["leaveOut", "empty", "true", "false"]);

function mergedMember(name: string, current: unknown, before: unknown, after: unknown): unknown {
  const values = [current, before, after];
  if (values.every(isObject))
    return mergedMembers(current as Members, before as Members, after as Members, mergedMember);
  if (!growing.has(name)) return current;
  const [edited, known, answered] = values.map((list) => [list ?? []].flat()) as [
    unknown[],
    unknown[],
    unknown[],
  ];
  const isIn = (list: unknown[], item: unknown) => list.some((other) => isEqual(other, item));
  const kept = edited.filter((item) => isIn(answered, item) || !isIn(known, item));
  return [...kept, ...answered.filter((item) => !isIn(known, item) && !isIn(kept, item))];
}

/** The targets of a column, by their fields. */
function mergedColumn(...versions: readonly [current: unknown, before: unknown, after: unknown]): unknown {
  const [current, before, after] = versions.map((targets) =>
    Object.fromEntries(choicesOfColumn(targets ?? null).map((target) => [target.to, target])),
  ) as [Members, Members, Members];
  return contentOfColumn(
    Object.values(mergedMembers(current, before, after, mergedMember)) as ColumnChoice[],
  );
}

/** The open questions that a change by hand has settled: it touches what one of their choices would change. */
export function settledByHand(
  open: readonly MappingQuestion[],
  before: MappingContent,
  after: MappingContent,
): Answers {
  const isChanged = (path: readonly string[]) =>
    JSON.stringify(valueAt(before, path)) !== JSON.stringify(valueAt(after, path));
  const settled = open.filter(({ choices }) =>
    choices.some(({ patch }) => pathsOfPatch(patch as MappingContent).some(isChanged)),
  );
  return Object.fromEntries(settled.map(({ id }) => [id, ownAnswer]));
}

/** The members of a mapping that a patch changes, such as the format of a column or the meaning of one of its values. */
function pathsOfPatch({ columns = {}, constants = {}, ...others }: MappingContent): string[][] {
  return [
    ...Object.entries(columns as object).flatMap(([column, target]) => pathsOfTarget(column, target)),
    ...Object.keys(constants as object).map((path) => ["constants", path]),
    ...Object.keys(others).map((name) => [name]),
  ];
}

/** A column that gets another field needs no other answers. */
function pathsOfTarget(column: string, target: unknown): string[][] {
  if (typeof target !== "object" || target === null || Array.isArray(target) || "to" in target)
    return [["columns", column]];
  const members = Object.entries(target as Record<string, unknown>).flatMap(([member, value]) =>
    member === "values" && typeof value === "object" && value !== null
      ? Object.keys(value).map((word) => [member, word])
      : [[member]],
  );
  return [["columns", column, "to"], ...members.map((path) => ["columns", column, ...path])];
}

function valueAt(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  // The field of a target without formats.
  if (name === "to" && typeof value === "string") return value;
  // A patch of a column changes all of its targets.
  if (Array.isArray(value)) return value.map((target: unknown) => valueAt(target, [name, ...rest]));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return valueAt((value as Record<string, unknown>)[name], rest);
}
