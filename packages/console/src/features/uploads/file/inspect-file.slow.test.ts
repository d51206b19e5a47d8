import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ImportResourceName, type Location } from "@gatehouse-parking/contract";
import { suggestForFile } from "../../../../../client/src/push/suggest.js";
import { describeInput } from "../../../../../client/src/push/input.js";
import { inspect } from "./inspect-file.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-inspect-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const exportsFolder = path.resolve(import.meta.dirname, "../../../../../record-files/exports");

interface Facts {
  resource: ImportResourceName;
  locations: readonly Location[];
}

/** The mapping file with questions that gatehouse-push writes. */
async function suggestedByPush(file: string, { resource, locations }: Facts): Promise<unknown> {
  const mappingFile = path.join(folder, `${path.basename(path.dirname(file))}.mapping.json`);
  const standardInput = (async function* () {})();
  const request = { source: describeInput(file, {}), resource, locations, mappingFile, standardInput };
  await suggestForFile({ ...request, nextCommand: "", options: {} });
  return JSON.parse(await readFile(mappingFile, "utf8"));
}

async function suggestedInConsole(file: string, { resource, locations }: Facts) {
  const content = new File([await readFile(file)], path.basename(file));
  const inspection = await inspect({ file: content, overrides: {}, resource, locations });
  if (!("suggestion" in inspection.content)) throw new Error(inspection.content.problem);
  return inspection;
}

it.for(["receipts-se", "debtors-de", "bookings-pt", "coin-parking-jp", "sessions-in-cents-pl"])(
  "suggests and asks the same about %s as gatehouse-push",
  async (name) => {
    const names = await readdir(path.join(exportsFolder, name));
    const file = path.join(exportsFolder, name, names.find((one) => one.startsWith("export.")) ?? "");
    const facts = JSON.parse(await readFile(path.join(exportsFolder, name, "answers.json"), "utf8")) as Facts;
    const { content } = await suggestedInConsole(file, facts);
    const { suggestion } = content as Extract<typeof content, { suggestion: object }>;
    const { mapping, questions, assumptions } = suggestion;
    expect({ ...mapping, questions: [...questions, ...assumptions] }).toEqual(
      await suggestedByPush(file, facts),
    );
  },
);

it("asks about what only a late row of a large file shows, and reads a tab-separated file by its name", async () => {
  const facts: Facts = { resource: "transactions", locations: [] };
  const row = (id: number) => `T-${id}\t1\t2026-03-01T12:00:00Z\t5.00`;
  const lines = Array.from({ length: 3_000 }, (_, id) => row(id));
  const text = ["transactionId\ttype\ttransactionDate\tamountTotal", ...lines, row(7).replace("5", "6")];
  const file = path.join(folder, "late.tsv");
  await writeFile(file, text.join("\n"));
  const { reading, content } = await suggestedInConsole(file, facts);
  expect(reading.delimiter).toBe("\t");
  const { suggestion } = content as Extract<typeof content, { suggestion: object }>;
  expect(suggestion.questions.map(({ code }) => code)).toContain("keyRepeated");
});
