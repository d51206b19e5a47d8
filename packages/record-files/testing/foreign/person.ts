import { differencesOf } from "./differences.js";
import type { ForeignExport } from "./export-folder.js";
import { dryRun, type ReadExport } from "./foreign-import.js";
import { agrees, patchFor } from "./patch.js";

/** A question as it stands in a mapping file. */
export interface Question {
  id: string;
  kind: "question" | "assumption";
  code: string;
  data: Record<string, unknown>;
  choices: { id: string; patch: Record<string, unknown> }[];
  assumed?: string;
}

export type MappingContent = Record<string, unknown> & { questions: Question[] };

/** An id of a choice, or a part of a mapping file. */
export type Answers = Record<string, unknown>;

/** A later round can answer what a first answer made readable. */
const rounds = 3;
/** Trying every choice on every row would take minutes. */
const rowsTried = 25;
const rowsAdded = 10;

/**
 * Answers every question like a person who knows the system, looks at what is still wrong, and answers again.
 */
export function answersOf(foreign: ForeignExport, file: ReadExport, content: MappingContent): Answers {
  const step = Math.ceil(file.rows.length / rowsTried);
  const lines = new Set(file.rows.filter((_, position) => position % step === 0).map(({ line }) => line));
  const assumed = content.questions.flatMap((one) =>
    one.assumed === undefined ? [] : [[one.id, one.assumed]],
  );
  let answers: Answers = Object.fromEntries(assumed) as Answers;
  for (let round = 0; round < rounds; round += 1) {
    const before = JSON.stringify(answers);
    answers = answerOnce(withRows(foreign, file, lines), content, answers);
    const wrong = wrongLines(foreign, file, { ...content, answers }).filter((line) => !lines.has(line));
    if (wrong.length === 0 && JSON.stringify(answers) === before) break;
    for (const line of wrong.slice(0, rowsAdded)) lines.add(line);
  }
  return answers;
}

interface Trial {
  foreign: ForeignExport;
  file: ReadExport;
}

function withRows(foreign: ForeignExport, file: ReadExport, lines: ReadonlySet<number>): Trial {
  return {
    foreign: { ...foreign, truth: foreign.truth.filter(({ line }) => lines.has(line)) },
    file: { ...file, rows: file.rows.filter(({ line }) => lines.has(line)) },
  };
}

/**
 * Takes for every question, of the choices that agree with the facts and of what the facts say about its columns,
 * the one that makes most values right.
 */
function answerOnce(trial: Trial, content: MappingContent, given: Answers): Answers {
  const { facts } = trial.foreign;
  let answers = given;
  for (const question of content.questions) {
    const own = patchFor(question, trial.file, content, facts);
    const candidates = [
      answers[question.id],
      ...question.choices.filter(({ patch }) => agrees(patch, facts)).map(({ id }) => id),
      own,
    ].filter((candidate) => candidate !== undefined);
    const tried = candidates.map((candidate) => {
      const all = { ...answers, [question.id]: candidate };
      return { all, cost: costOf(trial, { ...content, answers: all }) };
    });
    answers = tried.toSorted((one, other) => one.cost - other.cost)[0]?.all ?? answers;
  }
  return answers;
}

/** A wrong value is better than a record without its key, and a row that is reported is in between. */
const costOfValue = 10;
const costOfRecord = 100;
const costOfLostRow = 150;
const highest = Number.MAX_SAFE_INTEGER;

function costOf({ foreign, file }: Trial, content: unknown): number {
  try {
    const { differences, lost, problems } = compare(foreign, file, content);
    const remarks = lost.reduce((sum, { line }) => sum + (problems.get(line) ?? "").split("; ").length, 0);
    const records = differences.filter(({ path }) => path === "").length;
    const values = differences.length - records;
    return costOfValue * values + costOfRecord * records + costOfLostRow * lost.length + remarks;
  } catch {
    return highest;
  }
}

function wrongLines(foreign: ForeignExport, file: ReadExport, content: unknown): number[] {
  try {
    const { differences, lost } = compare(foreign, file, content);
    return [...differences, ...lost].map(({ line }) => line);
  } catch {
    return [];
  }
}

/** What would be stored, compared with the truth; `lost` are the rows of the truth that are reported instead. */
export function compare(foreign: ForeignExport, file: ReadExport, content: unknown) {
  const { stored, problems } = dryRun(file, foreign, content);
  const lost = foreign.truth.filter(({ line, record }) => record && problems.has(line));
  return { stored, problems, lost, differences: differencesOf(foreign, stored, new Set(problems.keys())) };
}
