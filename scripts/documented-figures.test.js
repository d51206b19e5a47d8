import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "./security/repository.js";

const read = (/** @type {string} */ file) => readFileSync(path.join(root, file), "utf8");

test("every page that mentions memory use has the latest measurements with their date", () => {
  const { date, idle, rounds } = JSON.parse(read("bench/results/imports-memory.json"));
  const peak = Math.round(Math.max(...rounds.map((/** @type {{ peak: number }} */ round) => round.peak)));
  const day = date.slice(0, 10);
  expect(read("docs/performance.md")).toContain(`${peak} MB at the peak (${day})`);
  for (const page of [
    "docs/performance.md",
    "docs/explanation/scaling.md",
    "deploy/kubernetes/deployment.yaml",
  ])
    expect(read(page)).toContain(
      `${Math.round(idle)} MB when idle, ${peak} MB at the peak with eight batches of 5 MB at once (measured ${day})`,
    );
});
