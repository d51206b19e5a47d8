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
    cleanUp: async () => undefined,
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

test("a start makes a backup only if one was missed", async () => {
  const { there, schedule } = scheduled(kept(1, begin - 5 * hourMs));
  await schedule.check();
  expect([there.made, schedule.state().nextMs]).toEqual([0, begin + hourMs]);
  there.nowMs += hourMs;
  await Promise.all([schedule.check(), schedule.check()]);
  await schedule.check();
  expect(there.made).toBe(1);

  const without = scheduled();
  await without.schedule.check();
  expect(without.there.made).toBe(1);
});

test("a failure is logged and retried with growing delays of up to an hour", async () => {
  const { there, schedule } = scheduled();
  there.fails = "There is not enough disk space";
  const attempts: number[] = [];
  for (let minute = 0; minute < 5 * 60; minute += 1) {
    const before = there.made;
    await schedule.check();
    if (there.made > before) attempts.push(minute);
    there.nowMs += minuteMs;
  }
  expect(attempts).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  expect(schedule.state().failure).toMatchObject({ message: "There is not enough disk space", attempts: 10 });
  expect(schedule.figures()).toMatchObject({ failedAttempts: 10, isOverdue: false, lastGoodMs: undefined });
  there.nowMs = begin + 12 * hourMs + 1;
  expect(schedule.state().isOverdue).toBe(true);
  there.fails = undefined;
  await schedule.check();
  expect(schedule.state()).toMatchObject({ failure: undefined, isOverdue: false, lastGood: { number: 1 } });
  there.nowMs += 12 * hourMs + 1;
  expect(schedule.state().isOverdue).toBe(true);
});

test("a backup of another process ends the failure, and a missing backup is made again", async () => {
  const { there, schedule } = scheduled();
  there.fails = "Busy";
  await schedule.check();
  there.last = kept(1, there.nowMs + 30_000);
  there.nowMs += minuteMs;
  await schedule.check();
  expect([there.made, schedule.state().failure]).toEqual([1, undefined]);
  there.fails = undefined;
  there.last = undefined;
  await schedule.check();
  expect(there.made).toBe(2);
});

test("a backup that cannot be found afterwards is a failure and not repeated at once", async () => {
  const { there, schedule } = scheduled(kept(1, begin - 7 * hourMs));
  there.isHidden = true;
  for (let time = 0; time < 3; time += 1) await schedule.check();
  expect([there.made, schedule.state().failure?.message]).toEqual([
    1,
    expect.stringContaining("not listed as a good backup"),
  ]);
});

test("a backup from a clock that was ahead does not hide that newer ones are missing", async () => {
  const { there, schedule } = scheduled(kept(1, begin + 300 * dayMs));
  there.fails = "Full";
  there.nowMs -= 30 * dayMs;
  await schedule.check();
  expect(schedule.state().isOverdue).toBe(false);
  there.nowMs += 12 * hourMs + 1;
  expect(schedule.state().isOverdue).toBe(true);
});

test("a clock that is set back or forward causes one extra backup at most", async () => {
  const { there, schedule } = scheduled(kept(1, begin));
  there.nowMs -= 30 * dayMs;
  for (let time = 0; time < 3; time += 1) await schedule.check();
  expect(there.made).toBe(1);
  there.nowMs += 60 * dayMs;
  for (let time = 0; time < 3; time += 1) await schedule.check();
  expect(there.made).toBe(2);

  there.fails = "Full";
  there.nowMs += dayMs;
  await schedule.check();
  there.nowMs -= 300 * dayMs;
  there.fails = undefined;
  await schedule.check();
  expect([there.made, schedule.state().failure]).toEqual([4, undefined]);
});

test("closing the service stops the running backup and starts no other", async () => {
  let made = 0;
  const schedule = new BackupSchedule({
    timing: { backupEveryMs: hourMs, backupAtMinute: undefined },
    now: () => begin,
    log: { info: () => undefined, warn: () => expect.unreachable("a shutdown is not a failure") },
    cleanUp: () => Promise.reject(new Error("the folder does not exist")),
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
  await schedule.check();
  expect([made, schedule.state().isRunning]).toEqual([1, false]);
});

test("with a time of day there is one backup a day, and none shortly after a late one", () => {
  const timing = { backupEveryMs: dayMs, backupAtMinute: 3 * 60 };
  const due = (last: string) => new Date(dueAfter(Date.parse(last), timing, Date.parse(last))).toISOString();
  expect(due("2026-04-01T03:00:20Z")).toBe("2026-04-02T03:00:00.000Z");
  expect(due("2026-04-01T01:30:00Z")).toBe("2026-04-01T03:00:00.000Z");
  expect(due("2026-04-01T02:30:00Z")).toBe("2026-04-02T03:00:00.000Z");
  expect(due("2026-04-01T23:59:59Z")).toBe("2026-04-02T03:00:00.000Z");
});
