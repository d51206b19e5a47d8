import { appendFileSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";

/**
 * Records how much processor time a test file takes, if the test command asks for it (TEST_PROCESSOR_TIMES), and how much
 * a fixed piece of work takes before and after it: on a busy machine both take more, because programs share caches and
 * cores. Module loading is not counted, because the first file of a worker loads them for all others.
 */
const timeFile = process.env["TEST_PROCESSOR_TIMES"];
const millisecondsPerTick = 10;
/** Enough for the JIT compiler to optimize the fixed work in a new worker. */
const warmUps = 5;

function ownMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The processor time of this process and of its child processes that have ended. */
function processorMs(): number {
  return ownMs() + childrenMs();
}

/** Only Linux provides this; cutime and cstime in proc(5). */
function childrenMs(): number {
  if (process.platform !== "linux") return 0;
  const status = readFileSync("/proc/self/stat", "utf8");
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * millisecondsPerTick;
}

const records = Array.from({ length: 2_000 }, (_, index) => ({
  id: `T-${index}`,
  amount: index,
  tags: ["a"],
}));

function fixedWorkMs(): number {
  const before = ownMs();
  const copies = JSON.parse(JSON.stringify(records)) as typeof records;
  const byId = new Map(copies.map((copy) => [copy.id, copy.amount]));
  if (byId.size !== records.length) throw new Error("The calibration is wrong");
  return ownMs() - before;
}

/** The median, because a garbage collection may fall into a single run. */
function calibrationMs(): number {
  const times = Array.from({ length: 3 }, fixedWorkMs).toSorted((one, other) => one - other);
  return times[1] as number;
}

if (timeFile) {
  const worker = globalThis as typeof globalThis & { isCalibrated?: boolean };
  let before = 0;
  let calibrationBefore = 0;
  beforeAll(() => {
    for (let time = 0; !worker.isCalibrated && time < warmUps; time += 1) fixedWorkMs();
    worker.isCalibrated = true;
    calibrationBefore = calibrationMs();
    before = processorMs();
  });
  afterAll(() => {
    const ms = Math.round(processorMs() - before);
    const line = {
      file: expect.getState().testPath,
      ms,
      calibrationMs: Math.max(calibrationBefore, calibrationMs()),
    };
    appendFileSync(timeFile, `${JSON.stringify(line)}\n`);
  });
}
