import type { MappingQuestion } from "@gatehouse-parking/record-files";
import { count } from "./progress.js";
import { cut, shortened, wrapped } from "./text-layout.js";

/** All open questions about a mapping as one list, with the line that answers each in a file for --answers. */
export function questionList(questions: readonly MappingQuestion[]): string[] {
  const open = questions.filter(({ kind }) => kind === "question");
  const assumptions = questions.filter(({ kind }) => kind === "assumption");
  return [
    ...(open.length > 0
      ? [
          `${count(open.length)} ${open.length === 1 ? "question is" : "questions are"} open. Put one line for each into a JSON file, and add --answers FILE:`,
          ...open.flatMap(questionLines),
        ]
      : []),
    ...(assumptions.length > 0
      ? [
          assumptions.length === 1
            ? "1 assumption is not confirmed. Add --confirm-assumptions, or answer it like a question:"
            : `${count(assumptions.length)} assumptions are not confirmed. Add --confirm-assumptions, or answer them like questions:`,
          ...assumptions.flatMap(questionLines),
        ]
      : []),
  ];
}

function questionLines(question: MappingQuestion): string[] {
  const { id, data, text, rows, samples, choices, assumed } = question;
  const touched = rows > 0 ? ` (${count(rows)} ${rows === 1 ? "row" : "rows"})` : "";
  return [
    ...wrapped(`${text}${touched}`, "  - ", "    "),
    ...choices.flatMap((choice) => [
      `      ${answerLine(id, choice.id)}${choice.id === assumed ? "  (assumed)" : ""}`,
      ...samples.map(
        (sample, position) => `        ${cut(sample)} -> ${shortened(choice.gives[position] ?? "")}`,
      ),
    ]),
    ...(choices.length === 0
      ? [
          `      ${JSON.stringify(id)}: { "columns": { "NAME OF A COLUMN": ${JSON.stringify(data["path"] ?? "FIELD")} } }`,
          ...samples.map((sample) => `        ${cut(sample)}`),
        ]
      : []),
  ];
}

function answerLine(id: string, choice: string): string {
  return `${JSON.stringify(id)}: ${JSON.stringify(choice)}`;
}
