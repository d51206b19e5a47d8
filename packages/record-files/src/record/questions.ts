import { isObject } from "@gatehouse-parking/contract";
import { MappingError, type MappingRefusal } from "../refusals.js";
import { mergePatches, type MappingContent } from "./merge-patch.js";

/** Something that the owner of a file decides before it is imported. */
export interface MappingQuestion {
  id: string;
  /** An assumption has an answer already, which only needs to be confirmed. */
  kind: "question" | "assumption";
  code: string;
  data: Readonly<Record<string, unknown>>;
  text: string;
  /** The number of rows that the answer changes. */
  rows: number;
  /** Values of the file. */
  samples: readonly string[];
  choices: readonly QuestionChoice[];
  /** The id of the choice that is used until there is an answer. */
  assumed?: string;
}

export interface QuestionChoice {
  id: string;
  /** The part of a mapping file that this choice changes. */
  patch: MappingContent;
  /** What the samples become. */
  gives: readonly string[];
}

/** The content of a mapping file with its answers applied, and what is still open. */
export interface AnsweredMapping {
  content: MappingContent;
  questions: readonly MappingQuestion[];
  open: readonly MappingQuestion[];
}

/** More than a person can answer. */
const maxQuestions = 1_000;
const maxChoices = 100;

const patchable = (name: string) => !["questions", "answers", "confirmAssumptions"].includes(name);

/** Applies the answers. Assumptions apply even before they are confirmed. */
export function applyAnswers(members: MappingContent): AnsweredMapping {
  const { questions: asked, answers = {}, confirmAssumptions = false, ...rest } = members;
  const questions = readQuestions(asked);
  if (!isObject(answers)) return refuse({ code: "notAnswers", data: {} });
  if (typeof confirmAssumptions !== "boolean")
    return refuse({ code: "notTrueOrFalse", data: { member: "confirmAssumptions" } });
  const unknown = Object.keys(answers).find((id) => !questions.some((question) => question.id === id));
  if (unknown !== undefined) refuse({ code: "unknownQuestion", data: { id: unknown } });

  const patches: MappingContent[] = [];
  const open: MappingQuestion[] = [];
  for (const question of questions) {
    const answer = Object.hasOwn(answers, question.id) ? answers[question.id] : undefined;
    const isConfirmed = question.kind === "assumption" && confirmAssumptions;
    if (answer === undefined && !isConfirmed) open.push(question);
    const patch = patchOf(question, answer ?? question.assumed);
    if (patch) patches.push(patch);
  }
  return { content: mergePatches(rest, patches), questions, open };
}

function patchOf({ id, choices }: MappingQuestion, answer: unknown): MappingContent | undefined {
  if (answer === undefined) return undefined;
  const patch = isObject(answer) ? answer : choices.find((choice) => choice.id === answer)?.patch;
  if (!patch) return refuse({ code: "notChoice", data: { id, choices: choices.map((choice) => choice.id) } });
  if (!Object.keys(patch).every(patchable)) refuse({ code: "notPatch", data: { id } });
  return patch;
}

function readQuestions(content: unknown): readonly MappingQuestion[] {
  if (content === undefined) return [];
  if (!Array.isArray(content) || content.length > maxQuestions)
    return refuse({ code: "questionShape", data: {} });
  const questions = content.map((question: unknown) =>
    isQuestion(question) ? question : refuse({ code: "questionShape", data: {} }),
  );
  const ids = new Set<string>();
  for (const { id } of questions) {
    if (ids.has(id)) refuse({ code: "questionTwice", data: { id } });
    ids.add(id);
  }
  return questions;
}

function isQuestion(content: unknown): content is MappingQuestion {
  if (!isObject(content)) return false;
  const { id, kind, code, data, text, rows, samples, choices, assumed } = content;
  return (
    [id, code, text].every((member) => typeof member === "string") &&
    isObject(data) &&
    Number.isInteger(rows) &&
    isTexts(samples) &&
    Array.isArray(choices) &&
    choices.length <= maxChoices &&
    choices.every(isChoice) &&
    (kind === "question"
      ? assumed === undefined
      : kind === "assumption" && choices.some((choice) => choice.id === assumed))
  );
}

function isChoice(content: unknown): content is QuestionChoice {
  return (
    isObject(content) &&
    typeof content["id"] === "string" &&
    isObject(content["patch"]) &&
    isTexts(content["gives"])
  );
}

function isTexts(content: unknown): boolean {
  return Array.isArray(content) && content.every((text) => typeof text === "string");
}

function refuse(refusal: MappingRefusal): never {
  throw new MappingError(refusal);
}
