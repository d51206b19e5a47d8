import { expect, test } from "vitest";
import type { KeptBackup } from "./kept-backup.js";
import type { MadeBackup } from "./make-backup.js";
import { BackupSchedule } from "./schedule.js";
import { dueAfter } from "./timing.js";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const begin = Date.parse("2026-04-01T10:00:00.000Z");

function kept(number: number, ms: number): KeptBackup {
  const createdAt = new Date(ms).toISOString();
  return {
    ...{ file: `/backups/${number}`, number, createdAt, bytes: 1 },
    ...{ trial: "passed", problem: null, triedAt: createdAt },
  };
}

/** A schedule whose clock is moved by hand, and whose backups succeed, fail or hang as the test wants. */
function scheduled(last?: KeptBackup) {
  const there = { last, nowMs: begin, made: 0, fails: undefined as string | undefined, isHidden: false };
  const schedule = new BackupSchedule({
    timing: { backupEveryMs: 6 * hourMs, backupAtMinute: undefined },
    now: () => there.nowMs,
    log: { info: () => undefined, warn: () => undefined },
    clearUp: async () => undefined,
    findLastGood: async () => there.last,
    async make(): Promise<MadeBackup> {
      there.made += 1;
      if (there.fails !== undefined) throw new Error(there.fails);
      const made = kept((there.last?.number ?? 0) + 1, there.nowMs);
      if (!there.isHidden) there.last = made;
      return { ...made, removed: [] };
    },
  });
  return { there, schedule };
}

test("a start makes no backup while the last is young, and makes up for one that was missed", async () => {
  const { there, schedule } = scheduled(kept(1, begin - 5 * hourMs));
  await schedule.look();
  expect([there.made, schedule.state().nextMs]).toEqual([0, begin + hourMs]);
  there.nowMs += hourMs;
  await Promise.all([schedule.look(), schedule.look()]);
  await schedule.look();
  expect(there.made).toBe(1);

  const without = scheduled();
  await without.schedule.look();
  expect(without.there.made).toBe(1);
});

test("a failure is told and tried again after longer and longer waits, an hour at most, until one is good", async () => {
  const { there, schedule } = scheduled();
  there.fails = "There is too little room";
  const attempts: number[] = [];
  for (let minute = 0; minute < 5 * 60; minute += 1) {
    const before = there.made;
    await schedule.look();
    if (there.made > before) attempts.push(minute);
    there.nowMs += minuteMs;
  }
  expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  expect(schedule.state().failure).toMatchObject({ message: "There is too little room", attempts: 10 });
  expect(schedule.figures()).toMatchObject({ failedAttempts: 10, isOverdue: false, lastGoodMs: undefined });
  there.nowMs = begin + 12 * hourMs + 1;
  expect(schedule.state().isOverdue).toBe(true);
  there.fails = undefined;
  await schedule.look();
  expect(schedule.state()).toMatchObject({ failure: undefined, isOverdue: false, lastGood: { number: 1 } });
  there.nowMs += 12 * hourMs + 1;
  expect(schedule.state().isOverdue).toBe(true);
});

test("a backup of another process ends our failure, and one that is gone is made again", async () => {
  const { there, schedule } = scheduled();
  there.fails = "Busy";
  await schedule.look();
  there.last = kept(1, there.nowMs + 30_000);
  there.nowMs += minuteMs;
  await schedule.look();
  expect([there.made, schedule.state().failure]).toEqual([1, undefined]);
  there.fails = undefined;
  there.last = undefined;
  await schedule.look();
  expect(there.made).toBe(2);
});

test("a backup that was made but is not there to be found is a failure, and not followed by one after the other", async () => {
  const { there, schedule } = scheduled(kept(1, begin - 7 * hourMs));
  there.isHidden = true;
  for (let time = 0; time < 3; time += 1) await schedule.look();
  expect([there.made, schedule.state().failure?.message]).toEqual([
    1,
    expect.stringContaining("not found among the good ones"),
  ]);
});

test("a good one of a clock that was ahead does not hide for as long that there is none since", async () => {
  const { there, schedule } = scheduled(kept(1, begin + 300 * dayMs));
  there.fails = "Full";
  there.nowMs -= 30 * dayMs;
  await schedule.look();
  expect(schedule.state().isOverdue).toBe(false);
  there.nowMs += 12 * hourMs + 1;
  expect(schedule.state().isOverdue).toBe(true);
});

test("a clock that is set back makes one backup more and no flood; one that is set forward too", async () => {
  const { there, schedule } = scheduled(kept(1, begin));
  there.nowMs -= 30 * dayMs;
  for (let time = 0; time < 3; time += 1) await schedule.look();
  expect(there.made).toBe(1);
  there.nowMs += 60 * dayMs;
  for (let time = 0; time < 3; time += 1) await schedule.look();
  expect(there.made).toBe(2);

  there.fails = "Full";
  there.nowMs += dayMs;
  await schedule.look();
  there.nowMs -= 300 * dayMs;
  there.fails = undefined;
  await schedule.look();
  expect([there.made, schedule.state().failure]).toEqual([4, undefined]);
});

test("the end of the service ends the backup that is being made, and none is begun after it", async () => {
  let made = 0;
  const schedule = new BackupSchedule({
    timing: { backupEveryMs: hourMs, backupAtMinute: undefined },
    now: () => begin,
    log: { info: () => undefined, warn: () => expect.unreachable("an end is no failure") },
    clearUp: () => Promise.reject(new Error("The folder is not there")),
    findLastGood: async () => undefined,
    make: (signal) =>
      new Promise((_resolve, reject) => {
        made += 1;
        signal.addEventListener("abort", () => reject(new Error("Interrupted")));
      }),
  });
  schedule.start();
  await expect.poll(() => schedule.state().isRunning).toBe(true);
  await schedule.close();
  await schedule.look();
  expect([made, schedule.state().isRunning]).toEqual([1, false]);
});

test("at a time of day there is one a day, and none right after one that was made up for", () => {
  const timing = { backupEveryMs: dayMs, backupAtMinute: 3 * 60 };
  const due = (last: string) => new Date(dueAfter(Date.parse(last), timing, Date.parse(last))).toISOString();
  expect(due("2026-04-01T03:00:20Z")).toBe("2026-04-02T03:00:00.000Z");
  expect(due("2026-04-01T01:30:00Z")).toBe("2026-04-01T03:00:00.000Z");
  expect(due("2026-04-01T02:30:00Z")).toBe("2026-04-02T03:00:00.000Z");
  expect(due("2026-04-01T23:59:59Z")).toBe("2026-04-02T03:00:00.000Z");
});
