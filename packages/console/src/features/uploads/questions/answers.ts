import { mergePatch, type MappingQuestion, type Suggestion } from "@gatehouse-parking/record-files";
import type { MappingContent } from "../mapping/mapping-choices.js";

/** The chosen choices by the ids of their questions. */
export type Answers = Readonly<Record<string, string>>;

/** The answer of a person who sets the columns by hand. */
export const ownAnswer = "own";

export function allQuestions({ questions, assumptions }: Suggestion): MappingQuestion[] {
  return [...questions, ...assumptions];
}

/** The suggested mapping with the answers, and with the assumptions that have no answer yet. */
export function answeredMapping(suggestion: Suggestion, answers: Answers): MappingContent {
  let content: MappingContent = { ...suggestion.mapping };
  for (const { id, assumed, choices } of allQuestions(suggestion)) {
    const choice = choices.find((one) => one.id === (answers[id] ?? assumed));
    if (choice) content = { ...mergePatch(content, choice.patch) };
  }
  return content;
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
  const members = (content: MappingContent) => content as Record<string, unknown>;
  const columns = keepEdits(columnsOf(current), columnsOf(before), columnsOf(after));
  return { ...keepEdits(members(current), members(before), members(after)), columns };
}

function columnsOf(content: MappingContent): Record<string, unknown> {
  return (content["columns"] ?? {}) as Record<string, unknown>;
}

/** Takes a member from `after` unless it was edited since `before`. */
function keepEdits(
  current: Record<string, unknown>,
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const isEdited = (name: string) => JSON.stringify(current[name]) !== JSON.stringify(before[name]);
  const names = [...new Set([...Object.keys(current), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .map((name) => [name, isEdited(name) ? current[name] : after[name]])
      .filter(([, value]) => value !== undefined),
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
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return valueAt((value as Record<string, unknown>)[name], rest);
}
