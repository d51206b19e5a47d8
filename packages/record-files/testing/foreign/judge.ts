import { InputError, MappingError } from "../../src/index.js";
import { mappingWithQuestions, suggestMapping } from "../../src/index.js";
import type { Difference } from "./differences.js";
import { nameColumns, type ForeignExport } from "./export-folder.js";
import { readExport, type ReadExport } from "./foreign-import.js";
import { asksAbout, columnsOf } from "./asked.js";
import { answersOf, compare, type MappingContent } from "./person.js";

/**
 * right: without a question. asked: right after the answers. refused: with a message. partly: what is wrong or not
 * stored had a question or is reported. silent: a value is wrong, and nothing was said.
 */
export type Class = "right" | "asked" | "partly" | "refused" | "silent";

export interface Judgement {
  name: string;
  system: string;
  class: Class;
  /** The number of records of the truth, and of questions and assumptions of the product. */
  records: number;
  questions: number;
  assumptions: number;
  /** The wrong values, for people. */
  notes: string[];
}

/** Imports an export the way of the product, and compares every value with the truth. */
export async function judge(foreign: ForeignExport): Promise<Judgement> {
  const judgement = {
    name: foreign.name,
    system: foreign.facts.system,
    records: foreign.truth.filter(({ record }) => record !== null).length,
  };
  try {
    const file = await readExport(foreign);
    const named = { ...foreign, facts: nameColumns(foreign.facts, file.columns) };
    return { ...judgement, ...judgeMapping(named, file, suggestedFor(foreign, file)) };
  } catch (error) {
    if (!(error instanceof InputError) && !(error instanceof MappingError)) throw error;
    return { ...judgement, class: "refused", questions: 0, assumptions: 0, notes: [error.message] };
  }
}

function judgeMapping(foreign: ForeignExport, file: ReadExport, content: MappingContent) {
  const answers = answersOf(foreign, file, content);
  const { stored, problems, lost, differences } = compare(foreign, file, { ...content, answers });
  const inSilence = differences.filter((difference) => !isAsked(difference, foreign, content));
  const questions = content.questions.filter(({ kind }) => kind === "question").length;
  const isConfirmed = content.questions.every(({ id, assumed }) => answers[id] === assumed);
  const found: Class =
    inSilence.length > 0
      ? "silent"
      : stored.length === 0
        ? "refused"
        : differences.length + lost.length > 0
          ? "partly"
          : isConfirmed
            ? "right"
            : "asked";
  return {
    class: found,
    questions,
    assumptions: content.questions.length - questions,
    notes: [
      ...noted("in silence", inSilence),
      ...noted(
        "asked",
        differences.filter((difference) => !inSilence.includes(difference)),
      ),
      ...(lost.length > 0 ? [`${lost.length} rows refused: ${problems.get(lost[0]?.line ?? 0) ?? ""}`] : []),
    ],
  };
}

/** One line for each field, with the first value. */
function noted(how: string, differences: readonly Difference[]): string[] {
  const byPath = groupBy(
    differences,
    ({ path, stored }) => `${path || "record"}${stored === undefined ? " missing" : ""}`,
  );
  return [...byPath].map(([path, all]) => {
    const { line, expected, stored } = all[0] as Difference;
    return `${how}: ${path}, ${all.length} rows, line ${line}: expected ${JSON.stringify(expected)}, stored ${JSON.stringify(stored)}`;
  });
}

/** Whether a question or an assumption named the column or the field of a difference. */
function isAsked({ path }: Difference, { facts }: ForeignExport, content: MappingContent): boolean {
  const columns = columnsOf(path, facts, content);
  return content.questions.some((question) => asksAbout(question, columns, path === "" ? [] : [path]));
}

function suggestedFor({ facts }: ForeignExport, { profile }: ReadExport): MappingContent {
  const { resource, locations } = facts;
  const content = mappingWithQuestions(suggestMapping({ resource, profile, locations }));
  // A mapping file is written and read again.
  return JSON.parse(JSON.stringify(content)) as MappingContent;
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
