import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outcomeOf } from "../../outcomes.js";
import { durationText, timeLeftMs, type Pace } from "./estimate.js";
import { openJournal } from "./journal.js";
import { lockFolder } from "./lock.js";
import { openOutcomeFiles } from "./outcome-files.js";
import { emptyTally } from "./tally.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-output-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const pace: Pace = {
  recordsLeft: 0,
  recordsPerRequest: 500,
  requestMs: 100,
  limit: 60,
  remaining: 40,
  resetInMs: 50_000,
};

test("the time left knows the rate limit: what does not fit into this window waits for the next ones", () => {
  expect(timeLeftMs({ ...pace, recordsLeft: 20_000 })).toBe(4_000);
  expect(timeLeftMs({ ...pace, recordsLeft: 20_500 })).toBe(50_100);
  expect(timeLeftMs({ ...pace, recordsLeft: 100_000 })).toBe(50_000 + 2 * 60_000 + 4_000);
  expect(timeLeftMs({ ...pace, recordsLeft: 100_000, limit: undefined, remaining: undefined })).toBe(20_000);
  expect(["59 s", "1 min 1 s", "2 h 5 min"]).toEqual([59_400, 61_000, 7_500_000].map(durationText));
});

const row = (line: number) => ({ line, cells: [`T-${line}`, 'a "b", c'] });
const failure = (line: number) => ({
  row: row(line),
  outcome: outcomeOf({ reference: `T-${line}`, status: 4, reasonCode: 5, errorDetail: "wrong" }),
  referenceUuid: undefined,
});

test("what was written after the last journal entry is cut off when the files are opened again", async () => {
  const options = { folder, columns: ["transactionId", "note"], delimiter: ";" };
  const first = await openOutcomeFiles({ ...options, keep: undefined });
  const keep = await first.append([failure(2)]);
  await first.append([failure(3), failure(4)]);
  await first.close();
  const second = await openOutcomeFiles({ ...options, keep });
  await second.append([failure(5)]);
  await second.close();

  const results = (await readFile(join(folder, "results.ndjson"), "utf8")).trimEnd().split("\n");
  expect(results.map((line) => JSON.parse(line).line)).toEqual([2, 5]);
  expect(await readFile(join(folder, "failed.csv"), "utf8")).toBe(
    `transactionId;note;failure.line;failure.code;failure.name;failure.detail
T-2;"a ""b"", c";2;5;ValidationFailed;wrong
T-5;"a ""b"", c";5;5;ValidationFailed;wrong
`,
  );
  await writeFile(join(folder, "failed.csv"), "");
  await expect(openOutcomeFiles({ ...options, keep })).rejects.toThrow("is shorter than the journal says");
});

test("a journal is replaced as a whole, and only its owner goes on with it", async () => {
  const owner = { resource: "accounts", url: "https://localhost", key: "a" };
  const entry = { resultsBytes: 1, failedBytes: 2, tally: emptyTally(), digest: "d" };
  const journal = await openJournal(folder, owner, false);
  expect(journal.last).toBeUndefined();
  await journal.write(entry);
  await journal.write({ ...entry, resultsBytes: 7 });
  expect(await readdir(folder)).toEqual(["journal.json"]);
  expect((await openJournal(folder, owner, false)).last).toMatchObject({ resultsBytes: 7 });
  await expect(openJournal(folder, { ...owner, url: "https://other", resource: "x" }, false)).rejects.toThrow(
    "holds a push with another resource and another address",
  );
  await writeFile(join(folder, "journal.json"), "{");
  await expect(openJournal(folder, owner, false)).rejects.toThrow("Begin anew with --restart");
  expect((await openJournal(folder, owner, true)).last).toBeUndefined();
});

test("two pushes do not write to one folder; the lock of a process that is gone is taken over", async () => {
  const path = join(folder, "push.lock");
  // The test runner's parent is certainly running.
  await writeFile(path, `${process.ppid}\n`);
  await expect(lockFolder(folder)).rejects.toThrow(
    `Another gatehouse-push (process ${process.ppid}) is writing`,
  );
  await writeFile(path, "4194999\n");
  const unlock = await lockFolder(folder);
  expect(await readFile(path, "utf8")).toBe(`${process.pid}\n`);
  await unlock();
  expect(await readdir(folder)).toEqual([]);
});
