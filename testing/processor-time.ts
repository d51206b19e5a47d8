import { appendFileSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect } from "vitest";

/**
 * Records how much processor time a test file takes, where the test command asks for it (TEST_PROCESSOR_TIMES). Unlike
 * elapsed time it does not grow while other programs use the machine. Loading the modules is not counted: the first
 * file of a worker does that for all others.
 */
const timeFile = process.env["TEST_PROCESSOR_TIMES"];
const millisecondsPerTick = 10;

/** Of this process and of the processes that it started and that have ended. */
function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000 + childrenMs();
}

/** Linux alone tells; cutime and cstime in proc(5). */
function childrenMs(): number {
  if (process.platform !== "linux") return 0;
  const status = readFileSync("/proc/self/stat", "utf8");
  const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * millisecondsPerTick;
}

if (timeFile) {
  let before = 0;
  beforeAll(() => {
    before = processorMs();
  });
  afterAll(() => {
    const line = { file: expect.getState().testPath, ms: Math.round(processorMs() - before) };
    appendFileSync(timeFile, `${JSON.stringify(line)}\n`);
  });
}
