import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { outcomeOf } from "../../outcomes.js";
import { durationText, startPaceMeter, timeLeftMs } from "./progress.js";
import { openJournal } from "./journal.js";
import { lockFolder } from "./lock.js";
import { outcomeFiles, type FileMarks, type OutcomeFilesOptions } from "./outcome-files.js";
import { emptyTally } from "./tally.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-output-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Sends `requests` as the limit allows and returns the send times. */
function simulate(requests: number, limit: number, requestMs: number): number[] {
  const sentAtMs: number[] = [];
  for (let request = 0; request < requests; request += 1) {
    const previous = sentAtMs[request - 1];
    const place = sentAtMs[request - limit];
    sentAtMs.push(
      Math.max(previous === undefined ? 0 : previous + requestMs, place === undefined ? 0 : place + 60_000),
    );
  }
  return sentAtMs;
}

test("the remaining time is correct from the first minute, although requests go out in bursts", () => {
  const limit = 60;
  const requestMs = 100;
  for (const total of [30, 60, 61, 130, 400, 1_000]) {
    const sentAtMs = simulate(total, limit, requestMs);
    for (let done = 1; done < total; done += 7) {
      const nowMs = sentAtMs[done - 1] as number;
      const left = timeLeftMs({
        requestsLeft: total - done,
        requestMs,
        limit,
        sentAtMs: sentAtMs.slice(Math.max(0, done - limit), done),
        nowMs,
      });
      expect(Math.abs((sentAtMs[total - 1] as number) - nowMs - left)).toBeLessThanOrEqual(2 * requestMs);
    }
  }
  const unlimited = { requestsLeft: 20, requestMs, limit: undefined, sentAtMs: [], nowMs: 5 };
  expect(timeLeftMs(unlimited)).toBe(2_000);
  expect(["59 s", "1 min 1 s", "2 h 5 min"]).toEqual([59_400, 61_000, 7_500_000].map(durationText));
});

test("records that a resumed push skips do not count towards its speed", () => {
  let nowMs = 0;
  const pace = startPaceMeter(() => nowMs);
  // One minute for the records that were pushed before, then one second per request.
  nowMs += 60_000;
  for (let request = 0; request < 3; request += 1) {
    pace.waited(0);
    nowMs += 1_000;
    pace.answered(500, undefined);
  }
  expect(pace.recordsPerSecond()).toBe(500);
  expect(pace.timeLeftMs(1_000)).toBe(2_000);
});

const row = (line: number) => ({ line, cells: [`T-${line}`, 'a "b", c'] });
const failure = (line: number) => ({
  row: row(line),
  outcome: outcomeOf({ reference: `T-${line}`, status: 4, reasonCode: 5, errorDetail: "wrong" }),
  referenceUuid: undefined,
});

const columns = ["transactionId", "note"];
const newFiles = { columns, delimiter: ";", written: undefined, goesOn: false, wasKilled: false };
const header = "transactionId;note;failure.line;failure.code;failure.name;failure.detail\n";
const failedRow = (line: number) => `T-${line};"a ""b"", c";${line};5;ValidationFailed;wrong\n`;

/** Writes outcomes like a run and returns what was written. */
async function writeOutcomes(options: Partial<OutcomeFilesOptions>, ...lines: number[]): Promise<FileMarks> {
  const files = outcomeFiles({ ...newFiles, folder, ...options });
  await files.ready();
  const marks = await files.append(lines.map(failure));
  await files.close();
  return marks;
}

test("data written after the last journal entry is truncated when the files are reopened", async () => {
  const first = outcomeFiles({ ...newFiles, folder });
  const written = await first.append([failure(2)]);
  await first.append([failure(3), failure(4)]);
  await first.close();
  await writeOutcomes({ written, goesOn: true, wasKilled: true }, 5);

  const results = (await readFile(join(folder, "results.ndjson"), "utf8")).trimEnd().split("\n");
  expect(results.map((line) => JSON.parse(line).line)).toEqual([2, 5]);
  expect(await readFile(join(folder, "failed.csv"), "utf8")).toBe(header + failedRow(2) + failedRow(5));
  await writeFile(join(folder, "results.ndjson"), "");
  await expect(writeOutcomes({ written, goesOn: true, wasKilled: true }, 5)).rejects.toThrow(
    "is shorter than the journal says",
  );
});

test("failed rows that a person edited are never truncated or appended to; once they are moved away, a new file is created", async () => {
  const written = await writeOutcomes({}, 2, 3);
  const path = join(folder, "failed.csv");
  const original = await readFile(path, "utf8");
  for (const edited of [
    original.replace("T-3", "T-9"),
    original.replace("T-3", "T-corrected"),
    header,
    `${original}${failedRow(9)}`,
  ]) {
    await writeFile(path, edited);
    for (const goesOn of [true, false])
      await expect(writeOutcomes({ written, goesOn }, 4)).rejects.toThrow("was changed after it was written");
    expect(await readFile(path, "utf8")).toBe(edited);
  }
  await rm(path);
  const again = await writeOutcomes({ written, goesOn: true }, 4);
  expect(await readFile(path, "utf8")).toBe(header + failedRow(4));
  await writeOutcomes({ written: again, goesOn: true }, 5);
  expect(await readFile(path, "utf8")).toBe(header + failedRow(4) + failedRow(5));
});

test("a journal is replaced atomically, and only its owner continues it", async () => {
  const owner = { resource: "accounts", url: "https://localhost", key: "a" };
  const entry = { resultsBytes: 1, failedBytes: 2, failedDigest: "f", tally: emptyTally(), digest: "d" };
  const goOn = { restart: false, isOwnImport: async (run: string) => run === "ours" };
  const restart = { ...goOn, restart: true };
  const journal = await openJournal(folder, owner, goOn);
  expect(journal.last).toBeUndefined();
  await journal.write(entry);
  await journal.write({ ...entry, resultsBytes: 7 });
  expect(await readdir(folder)).toEqual(["journal.json"]);
  expect(await openJournal(folder, owner, goOn)).toMatchObject({
    last: { resultsBytes: 7 },
    wasKilled: true,
  });
  await journal.end();
  expect(await openJournal(folder, owner, goOn)).toMatchObject({
    last: { resultsBytes: 7 },
    wasKilled: false,
  });
  expect(await openJournal(folder, { ...owner, key: "b" }, restart)).toMatchObject({
    last: undefined,
    written: { resultsBytes: 7 },
  });
  await expect(openJournal(folder, { ...owner, url: "https://other", resource: "x" }, goOn)).rejects.toThrow(
    "contains a push with a different resource and a different address",
  );
  const rotated = { ...owner, key: "b" };
  await expect(openJournal(folder, rotated, goOn)).rejects.toThrow(
    "contains a push with a different API key",
  );
  await journal.write({ ...entry, run: "theirs" });
  await expect(openJournal(folder, rotated, goOn)).rejects.toThrow(
    "contains a push with a different API key",
  );
  await journal.write({ ...entry, run: "ours" });
  expect((await openJournal(folder, rotated, goOn)).last).toMatchObject({ run: "ours" });
  await expect(openJournal(folder, { ...rotated, url: "https://other" }, goOn)).rejects.toThrow(
    "a different address",
  );
  await writeFile(join(folder, "journal.json"), "{");
  await expect(openJournal(folder, owner, goOn)).rejects.toThrow("Start over with --restart");
  expect((await openJournal(folder, owner, restart)).last).toBeUndefined();
});

test("two pushes do not write to one folder; the lock of a dead process is taken over", async () => {
  const path = join(folder, "push.lock");
  // The test runner's parent process certainly exists.
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
