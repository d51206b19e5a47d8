import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { checkHistory, hasSecondChecker } from "./history-checker.js";

/** Tests the second checker: a recorded history that is doctored in one place is rejected for that place. */
const example = fileURLToPath(new URL("example-history.ndjson.gz", import.meta.url));
const otherUuid = "00000000-0000-7000-8000-000000000000";

// Events are rewritten without types; a wrong guess fails the test, not the compiler.
// oxlint-disable-next-line typescript/no-explicit-any
type Event = any;

let folder: string;
let events: Event[];
let isHere: boolean;
beforeAll(async () => {
  isHere = await hasSecondChecker();
  folder = mkdtempSync(path.join(tmpdir(), "gatehouse-histories-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(({ skip }) => {
  if (!isHere) skip("there is no python3");
  events = gunzipSync(readFileSync(example))
    .toString()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
});

test("a recorded history is valid, compressed and uncompressed", async () => {
  expect(await checkHistory(example)).toMatchObject({
    exitCode: 0,
    said: expect.stringContaining("the history is valid"),
  });
  expect(await judged()).toMatchObject({
    exitCode: 0,
    said: expect.stringContaining("the history is valid"),
  });
});

const [created, skipped] = [1, 3];

const doctored: { what: string; doctor: () => void; said: string | RegExp }[] = [
  {
    what: "an acknowledged record that is not stored",
    doctor() {
      const [key] = resultOf(created);
      for (const reading of readings()) remove(reading.transactions, key);
    },
    said: /T-\d+ was acknowledged and is not stored/,
  },
  {
    what: "an acknowledged account that is missing in a later reading",
    doctor() {
      const [key] = resultOf(created, "accounts");
      remove(readings().at(-1).accounts, key);
    },
    said: /A-\d+ was acknowledged and is not stored/,
  },
  {
    what: "a key that is stored twice",
    doctor() {
      const reading = readings().at(-1);
      reading.transactions.push([reading.transactions[0][0], otherUuid]);
    },
    said: /is stored 2 times/,
  },
  {
    what: "a key that was Created twice",
    doctor() {
      resultOf(skipped)[1] = created;
    },
    said: /was Created 2 times/,
  },
  {
    what: "a Skipped with another uuid than the Created",
    doctor() {
      resultOf(skipped)[2] = otherUuid;
    },
    said: /was answered with the uuids/,
  },
  {
    what: "a record that is stored under another uuid than its answer had",
    doctor() {
      const [key] = resultOf(created);
      for (const reading of readings()) stored(reading, key)[1] = otherUuid;
    },
    said: new RegExp("was acknowledged as .* and is stored as 00000000-"),
  },
  {
    what: "two keys under one uuid",
    doctor() {
      const { transactions } = readings().at(-1);
      transactions[1][1] = transactions[0][1];
    },
    said: /are stored under the same uuid/,
  },
  {
    what: "a row that was never sent",
    doctor() {
      readings().at(-1).transactions.push(["T-999999", otherUuid]);
    },
    said: /T-999999 is stored and was never sent/,
  },
  {
    what: "a row that was stored before any client sent it",
    doctor() {
      const [key] = resultOf(created);
      const firstReading = events.findIndex(({ type }) => type === "reading");
      const sending = events.filter(({ type, keys }) => type === "invoke" && keys.includes(key));
      for (const one of sending) withoutKey(one.operation, key, firstReading);
    },
    said: /is stored and was never sent/,
  },
  {
    what: "a Skipped before any other client had sent the key",
    doctor() {
      const { operation, index } = firstEnd();
      const [key] = operation.results.find(([, status]: [string, number]) => status === created);
      operation.results.find(([reference]: [string]) => reference === key)[1] = skipped;
      const invoked = events
        .slice(0, index)
        .filter(({ type, keys }) => type === "invoke" && keys.includes(key));
      for (const { operation: number } of invoked)
        if (number !== operation.operation) withoutKey(number, key, index);
    },
    said: /was Skipped by operation \d+ before any other operation had sent it/,
  },
  {
    what: "a Created for a record that was acknowledged before",
    doctor() {
      const result = resultOf(created);
      result[1] = skipped;
      const later = events.filter(({ type }) => type === "ok").map(({ results }) => results);
      later.flat().findLast(([key]: [string]) => key === result[0])[1] = created;
    },
    said: /was acknowledged before operation \d+, which Created it, began/,
  },
  {
    what: "a record that an answer omits",
    doctor() {
      firstEnd().operation.results.pop();
    },
    said: /was not answered record by record/,
  },
  {
    what: "a record that failed without a reason",
    doctor() {
      resultOf(created).splice(1, 2, 4, null);
    },
    said: /was valid and answered with status 4/,
  },
  {
    what: "an acknowledged run that is not stored",
    doctor() {
      const { run } = firstEnd().operation;
      for (const reading of readings())
        reading.runs = reading.runs.filter(({ referenceUuid }: Event) => referenceUuid !== run);
    },
    said: /was acknowledged and is not stored/,
  },
  {
    what: "an account that a run created and that is not stored",
    doctor() {
      for (const { runs } of readings()) runs[0].createdAccounts += 1;
    },
    said: /the runs created \d+ accounts, and \d+ are stored, \d+ were undone/,
  },
  {
    what: "a record that was removed although no client undid its run",
    doctor() {
      const [key, , uuid] = resultOf(created);
      for (const reading of readings()) {
        remove(reading.transactions, key);
        reading.removedTransactions.push([key, uuid, otherUuid]);
      }
    },
    said: /T-\d+ was removed, and no operation undid run 00000000-\S+/,
  },
  {
    what: "a record that is still stored although its run was undone",
    doctor() {
      for (const reading of readings()) {
        const [key, uuid] = reading.removedTransactions[0];
        const stored = reading.transactions.find(([of]: [string]) => of === key);
        if (stored) stored[1] = uuid;
        else reading.transactions.push([key, uuid]);
      }
    },
    said: /T-\d+ is stored and was undone/,
  },
  {
    what: "a record of an undone run that was not removed",
    doctor() {
      const [, uuid] = undoneRecord();
      for (const reading of readings()) {
        const own = reading.removedTransactions;
        own.splice(
          own.findIndex(([, of]: [string, string]) => of === uuid),
          1,
        );
      }
    },
    said: /T-\d+ was undone and is not removed/,
  },
  {
    what: "an undone record that is later not undone",
    doctor() {
      readings().at(-1).removedTransactions.shift();
    },
    said: /was undone, and later it was not/,
  },
  {
    what: "a Skipped with the uuid of a record that had been undone before",
    doctor() {
      const [key, uuid] = undoneRecord();
      const last = ends().findLast(({ results }) => results.some(([of]: [string]) => of === key));
      const result = last.results.find(([of]: [string]) => of === key);
      result.splice(1, 2, skipped, uuid);
    },
    said: /was Skipped by operation \d+ after it was undone/,
  },
  {
    what: "a Created of a key whose record was stored and not undone yet",
    doctor() {
      const [, , run] = undoneRecord();
      const undone = events.filter((event) => event.type === "undo" && event.run === run);
      const numbers = new Set(undone.map(({ operation }) => operation));
      const asking = events.filter(
        ({ type, operation }) => type.startsWith("undo") && numbers.has(operation),
      );
      // As if the run had been undone at the very end, before the last reading.
      events = events.filter((event) => !asking.includes(event));
      events.splice(
        events.findLastIndex(({ type }) => type === "reading"),
        0,
        ...asking,
      );
    },
    said: /was Created by operation \d+ while \S+ was stored/,
  },
  {
    what: "an undone record that no run created",
    doctor() {
      const { run } = events.find(({ type, end }) => type === "undo" && end === undefined);
      for (const reading of readings()) reading.removedTransactions.push(["T-1", otherUuid, run]);
    },
    said: /the runs created \d+ transactions, and \d+ are stored, \d+ were undone/,
  },
  {
    what: "a contradiction that only the rig found",
    doctor() {
      events.at(-1).contradictions.push("T-1 is stored 2 times");
    },
    said: "the rig itself found: T-1 is stored 2 times",
  },
];

for (const { what, doctor, said } of doctored)
  test(`the second checker notices ${what}`, async () => {
    doctor();
    const judgement = await judged();
    expect(judgement.said).toMatch(said);
    expect(judgement.exitCode).toBe(1);
  });

const damaged: { what: string; doctor: () => unknown; said: string }[] = [
  { what: "without its verdict", doctor: () => events.pop(), said: "did not finish" },
  {
    what: "without a reading",
    doctor: () => (events = events.filter(({ type }) => type !== "reading")),
    said: "no reading",
  },
  { what: "without its first line", doctor: () => events.shift(), said: "line 1 is a" },
  { what: "of another version", doctor: () => (events[0].version = 3), said: "version 3" },
  {
    what: "with an answer to nothing",
    doctor: () => (firstEnd().operation.operation = 999_999),
    said: "not under way",
  },
];

for (const { what, doctor, said } of damaged)
  test(`a file ${what} is rejected as incomplete`, async () => {
    doctor();
    expect(await judged()).toMatchObject({ exitCode: 2, said: expect.stringContaining(said) });
  });

function judged(): ReturnType<typeof checkHistory> {
  const file = path.join(folder, "doctored.ndjson");
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(""));
  return checkHistory(file);
}

function readings(): Event[] {
  return events.filter(({ type }) => type === "reading");
}

function ends(): Event[] {
  return events.filter(({ type }) => type === "ok");
}

/**
 * A transaction whose run was undone, with every undo request answered, and that a later request created
 * again: key, uuid and run.
 */
function undoneRecord(): [string, string, string] {
  const removed: [string, string, string][] = readings().at(-1).removedTransactions;
  const found = removed.find(([key, uuid, run]) => {
    const numbers = events.filter((event) => event.type === "undo" && event.run === run);
    const settled = numbers.map(({ operation }) =>
      events.findIndex((event) => event.type === "undo-ended" && event.operation === operation),
    );
    const isSettled = settled.every((index) => ["ok", "refused"].includes(events[index]?.end));
    const creator = ends().find(({ results }) =>
      results.some((result: Event) => result[2] === uuid && result[1] === created),
    );
    const again = ends().find(({ results }) =>
      results.some((result: Event) => result[0] === key && result[1] === created && result[2] !== uuid),
    );
    const invoked = events.findIndex(
      (event) => event.type === "invoke" && event.operation === again?.operation,
    );
    return isSettled && creator && again && invoked > Math.max(...settled);
  });
  return found as [string, string, string];
}

/** The first answer that contains Created. */
function firstEnd(): { operation: Event; index: number } {
  const index = events.findIndex(
    ({ type, results }) =>
      type === "ok" && results.some(([, status]: [string, number]) => status === created),
  );
  return { operation: events[index], index };
}

/** The first such result of a key that an answer reported as Created and that was never undone. */
function resultOf(status: number, resource = "transactions"): Event {
  const own = events.filter(({ type, resource: of }) => type === "invoke" && of === resource);
  const numbers = new Set(own.map(({ operation }) => operation));
  const { removedTransactions, removedAccounts } = readings().at(-1);
  const removed = new Set([...removedTransactions, ...removedAccounts].map(([key]) => key));
  return events
    .filter(({ type, operation }) => type === "ok" && numbers.has(operation))
    .flatMap(({ results }) => results)
    .filter(([key], _, all) => all.some((other) => other[0] === key && other[1] === created))
    .filter(([key]) => !removed.has(key))
    .find((result: Event) => result[1] === status);
}

function stored(reading: Event, key: string): Event {
  return reading.transactions.find(([of]: [string]) => of === key);
}

function remove(records: Event[], key: string): void {
  records.splice(
    records.findIndex(([of]) => of === key),
    1,
  );
}

/** Moves the operation to another key, in the events before a line. */
function withoutKey(number: number, key: string, before: number): void {
  for (const event of events.slice(0, before)) {
    if (event.operation !== number) continue;
    if (event.keys) event.keys = event.keys.map((one: string) => (one === key ? "T-0" : one));
    for (const result of event.results ?? []) if (result[0] === key) result[0] = "T-0";
  }
}
