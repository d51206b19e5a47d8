import type { MappingQuestion } from "../src/record/questions.js";
import { profileTable } from "../src/suggest/profile/profile.js";
import { suggestAndCheck, type Suggestion } from "../src/suggest/suggest.js";
import type { Row, Table } from "../src/table.js";
import { locations } from "./exports.js";

export const garage = locations[0]?.name ?? "";

async function* rowsOf(rows: readonly (readonly string[])[]): AsyncGenerator<Row> {
  for (const [index, cells] of rows.entries()) yield { line: index + 2, cells: [...cells] };
}

/** Thirty clean transactions, with some of their columns replaced or added. A cell may depend on the row. */
export type Cells = Record<string, string | ((row: number) => string)>;
const clean: Cells = {
  "Ticket No": (row) => `T-${1000 + row}`,
  Garage: garage,
  "Customer Type": (row) => (row % 2 === 0 ? "Hourly" : "Monthly"),
  "Payment Time": (row) => `2026-06-${String(1 + (row % 28)).padStart(2, "0")} 10:${String(10 + row)}:00`,
  "Total Amount": (row) => `${5 + row}.50`,
};

/** The suggestion for such a file, tried on its rows. */
export async function suggest(
  changes: Cells = {},
  {
    without = [],
    resource = "transactions" as const,
  }: { without?: string[]; resource?: "transactions" | "accounts" } = {},
): Promise<Suggestion> {
  const cells = Object.entries({ ...(resource === "transactions" ? clean : {}), ...changes }).filter(
    ([name]) => !without.includes(name),
  );
  const rows = Array.from({ length: 30 }, (_, row) =>
    cells.map(([, cell]) => (typeof cell === "string" ? cell : cell(row))),
  );
  const table = (): Table => ({ columns: cells.map(([name]) => name), rows: rowsOf(rows) });
  return suggestAndCheck({ resource, profile: await profileTable(table()), locations }, table());
}

export const asked = ({ questions }: Suggestion, code: string): MappingQuestion | undefined =>
  questions.find((question) => question.code === code);
export const givenBy = (question: MappingQuestion | undefined, id: string) =>
  question?.choices.find((choice) => choice.id === id)?.gives[0];
