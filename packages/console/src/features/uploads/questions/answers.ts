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

/** Answers the open assumptions by what was assumed. */
export function confirmAll({ assumptions }: Suggestion, answers: Answers): Answers {
  const assumed = assumptions.map(({ id, assumed: choice }) => [id, choice ?? ownAnswer]);
  return { ...Object.fromEntries(assumed), ...answers };
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
