// What vitest and its workers wrote about a run.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "../security/repository.js";

/**
 * @typedef {{ status: string, fullName: string, failureMessages: string[] }} TestResult
 * @typedef {{ name: string, status: string, message: string, startTime: number, endTime: number, assertionResults: TestResult[] }} FileResult
 * @typedef {{ passed: number, failed: number, skipped: number, failures: string[], files: { file: string, seconds: number }[] }} Results
 */

/**
 * @param {string} resultFile the JSON reporter's
 * @returns {Results}
 */
export function readResults(resultFile) {
  if (!existsSync(resultFile)) return { passed: 0, failed: 0, skipped: 0, failures: [], files: [] };
  /** @type {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: FileResult[] }} */
  const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
    readFileSync(resultFile, "utf8"),
  );
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests,
    failures: testResults.flatMap(failuresOf),
    files: testResults.map(({ name, startTime, endTime }) => ({
      file: path.relative(root, name),
      seconds: (endTime - startTime) / 1000,
    })),
  };
}

/**
 * One line for each failed test, or for the file if it failed before any test ran.
 * @param {FileResult} result
 */
function failuresOf({ name, status, message, assertionResults }) {
  const file = path.relative(root, name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  if (failed.length === 0 && status === "failed") return [`${file}: ${firstLine(message)}`];
  return failed.map(
    ({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages[0])}`,
  );
}

function firstLine(text = "") {
  return text.split("\n", 1)[0];
}

/**
 * The files with the largest values first.
 * @param {{ file: string, seconds: number }[]} files
 * @param {number} count
 */
export function slowest(files, count) {
  return files.toSorted((one, other) => other.seconds - one.seconds).slice(0, count);
}

/**
 * @typedef {{ file: string, seconds: number, calibrationMs: number }} ProcessorTime
 */

/**
 * Processor time by file, as testing/processor-time.ts wrote it.
 * @param {string} timeFile
 * @returns {ProcessorTime[]}
 */
export function readProcessorTimes(timeFile) {
  if (!existsSync(timeFile)) return [];
  const lines = readFileSync(timeFile, "utf8").trim().split("\n");
  return lines.map((line) => {
    /** @type {{ file: string, ms: number, calibrationMs: number }} */
    const { file, ms, calibrationMs } = JSON.parse(line);
    return { file: path.relative(root, file), seconds: ms / 1000, calibrationMs };
  });
}

/** What the fixed work of testing/processor-time.ts takes on the slowest machine that is not busy: x64 at 2.5 GHz, Node 20. */
const quietCalibrationMs = 3;

/**
 * Files that take more than `limitSeconds` of processor time. Where the fixed work beside a file took longer than on a quiet
 * machine, so did the file, and its time is reduced in proportion: being busy does not make a file fail.
 * @param {ProcessorTime[]} times
 * @param {number} limitSeconds
 */
export function tooSlow(times, limitSeconds) {
  const quietMs = Math.min(quietCalibrationMs, ...times.map(({ calibrationMs }) => calibrationMs));
  return times
    .map(({ file, seconds, calibrationMs }) => ({ file, seconds: (seconds * quietMs) / calibrationMs }))
    .filter(({ seconds }) => seconds > limitSeconds);
}
