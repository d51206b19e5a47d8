import { expect, test } from "vitest";
import { exportFiles, locations, type ExportFile } from "../../testing/exports.js";
import { recognizeFile } from "../recognize.js";
import { readTable } from "../read-table.js";
import { LocationIndex } from "../record/locations.js";
import { toMapping } from "../record/mapping.js";
import { prepareRows } from "../record/prepare.js";
import type { Table } from "../table.js";
import { profileTable } from "./profile/profile.js";
import { mappingWithQuestions, suggestMapping, type Suggestion } from "./suggest.js";

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function tableOf({ content, resource }: ExportFile): Promise<Table> {
  const { reading, chunks } = await recognizeFile(once(content), {});
  return readTable(chunks, { ...reading, arrayName: resource });
}

const suggest = async (file: ExportFile): Promise<Suggestion> =>
  suggestMapping({ resource: file.resource, profile: await profileTable(await tableOf(file)), locations });

/** The records of the file by this mapping, or why a row cannot be converted. */
async function understood(file: ExportFile, suggestion: Suggestion): Promise<unknown[]> {
  const table = await tableOf(file);
  const prepare = prepareRows(table.columns, file.resource, {
    mapping: toMapping(mappingWithQuestions(suggestion)),
    ignoreUnknownColumns: false,
    asksAboutTimes: true,
    timeZone: new Map(locations.map(({ uuid, timeZone }) => [uuid, timeZone])),
    locations: new LocationIndex(locations),
  });
  const records: unknown[] = [];
  for await (const row of table.rows) {
    const { text, refusal } = prepare(row);
    records.push(text === undefined ? refusal?.problems : flat(JSON.parse(text) as Record<string, unknown>));
  }
  return records;
}

/** Values by path, with times as moments and amounts in cents, like the expected values of the exports. */
function flat(record: Record<string, unknown>, prefix = ""): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
      const path = prefix + name;
      if (typeof value === "object" && value !== null)
        return Object.entries(flat(value as Record<string, unknown>, `${path}.`));
      if (/Date$|^session/.test(path)) return [[path, Date.parse(value as string)]];
      if (/Amount$|^amount/.test(path)) return [[path, Math.round((value as number) * 100)]];
      return [[path, value]];
    }),
  );
}

type Values = Record<string, unknown>;

/** Every value is correct, or was left unchanged with a type that the check rejects. */
function expectNothingWrong(record: Values, expected: Values): void {
  for (const [path, value] of Object.entries(record))
    if (typeof value === typeof expected[path]) expect([path, value]).toEqual([path, expected[path]]);
}

test("there are twenty exports of different systems", () => {
  expect(new Set(exportFiles.map(({ name }) => name)).size).toBe(20);
});

test("there are twenty exports of different systems", () => {
  expect(new Set(exportFiles.map(({ name }) => name)).size).toBe(20);
});

test.each(exportFiles.map((file) => [file.name, file] as const))(
  "an export is mapped correctly or leads to a question, never silently wrong: %s",
  async (_name, file) => {
    const suggestion = await suggest(file);
    const ids = suggestion.questions.map(({ id }) => id);
    if (file.isUnclear) expect(ids).not.toEqual([]);
    else expect(ids.filter((id) => !mayBeAsked.test(id))).toEqual([]);
    const records = await understood(file, suggestion);
    if (!file.isUnclear) expect(records).toEqual(file.expected);
    for (const [position, record] of records.entries())
      if (typeof record === "object") expectNothingWrong(record as Values, file.expected[position] as Values);
  },
);

/** Questions that a person who knows the system answers at a glance. */
const mayBeAsked = /^(?:planned|marked):/;

test("an ordinary export needs at most three answers", async () => {
  const counts = await Promise.all(
    exportFiles
      .filter(({ isUnclear }) => !isUnclear)
      .map(async (file) => (await suggest(file)).questions.length),
  );
  expect(Math.max(...counts)).toBeLessThanOrEqual(3);
});
