/** Files of 1,000,000 rows: reading and converting each format, against a program that only parses JSON lines. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { median, repeat } from "./harness/compare.js";
import { formats, writeFileOf } from "./harness/files.js";

export const title = "reading and converting files, against JSON.parse of each line";
/** Of the slowest format, in rows per second of processor time. */
export const goal = 0.025;

/** Processor time varies less than elapsed time, and a round takes ten minutes. */
const measuredRounds = 1;

const reader = fileURLToPath(new URL("harness/read-file.js", import.meta.url));
const run = promisify(execFile);

/** @typedef {{ ratio: number, bareRate: number, rates: Record<string, number>, peakMegabytes: Record<string, number> }} FilesRound */

/** @param {import("./harness/compare.js").Measurement<FilesRound>} run */
export async function measure({ isShort, onRound }) {
  const rows = isShort ? 20_000 : 1_000_000;
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-files-"));
  const fileOf = (/** @type {string} */ format) => path.join(folder, `sales.${format}`);
  try {
    for (const format of formats) await writeFileOf(fileOf(format), format, rows);
    const measured = await repeat({ rounds: isShort ? 1 : measuredRounds, onRound }, async () => {
      const bareRate = (await read("bare", fileOf("ndjson"), rows)).rate;
      /** @type {Record<string, number>} */ const rates = {};
      /** @type {Record<string, number>} */ const peakMegabytes = {};
      for (const format of formats) {
        const { rate, peak } = await read(format, fileOf(format), rows);
        [rates[format], peakMegabytes[format]] = [rate, peak];
      }
      return { bareRate, rates, peakMegabytes, ratio: Math.min(...Object.values(rates)) / bareRate };
    });
    return { rows, ratio: median(measured.map(({ ratio }) => ratio)), rounds: measured };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} format
 * @param {string} file
 * @param {number} expected
 */
async function read(format, file, expected) {
  const { stdout } = await run(process.execPath, [reader, format, file]);
  const { rows, cpuMs, peakMegabytes } = JSON.parse(stdout);
  if (rows !== expected) throw new Error(`${format}: ${rows} rows of ${expected}`);
  return { rate: Math.round(rows / (cpuMs / 1000)), peak: Math.round(peakMegabytes) };
}

/** @param {FilesRound} round */
export function describeRound({ bareRate, rates, peakMegabytes, ratio }) {
  const described = formats.map((format) => `${format} ${rates[format]}/s ${peakMegabytes[format]} MB`);
  return `${described.join("   ")}   reference ${bareRate}/s   ratio ${ratio.toFixed(2)}`;
}
