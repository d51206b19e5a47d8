import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { sayLeftOut } from "../../testing/left-out.js";
import type { HistoryFile } from "./history-file.js";

/** The second checker is in another language and shares no code with the service or history.ts. */
const program = fileURLToPath(new URL("check-history.py", import.meta.url));
const interpreter = "python3";
const timeoutMs = 300_000;

export interface Judgement {
  /** 0: the history is valid; 1: it is not; 2: it is incomplete. */
  exitCode: number;
  said: string;
}

export function checkHistory(file: string): Promise<Judgement> {
  return run([program, file]);
}

/** Whether the second checker can run here. If it cannot, its tests are skipped, and the test command says so. */
export async function hasSecondChecker(): Promise<boolean> {
  const recentEnough = "import sys; sys.exit(0 if sys.version_info >= (3, 8) else 3)";
  const { exitCode } = await run(["-c", recentEnough]);
  if (exitCode !== 0)
    sayLeftOut("Left out: the second checker of histories, because there is no python3 of 3.8 or later.");
  return exitCode === 0;
}

/** Expects that the second checker finds no contradiction either. */
export async function expectSecondOpinion(file: HistoryFile): Promise<void> {
  if (!(await hasSecondChecker())) return;
  const { exitCode, said } = await checkHistory(file.path);
  console.log(said);
  expect(exitCode, said).toBe(0);
}

function run(programArguments: string[]): Promise<Judgement> {
  return new Promise((resolve) => {
    execFile(interpreter, programArguments, { timeout: timeoutMs }, (error, stdout, stderr) => {
      const exitCode = typeof error?.code === "number" ? error.code : error ? 127 : 0;
      resolve({ exitCode, said: `${stdout}${stderr}`.trim() });
    });
  });
}
