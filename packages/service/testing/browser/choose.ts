import { existsSync } from "node:fs";
import { sources, type Candidate, type Machine } from "./sources.js";

/** The browser that was started, or why there is none. */
export type Chosen<Started> = { started: Started } | { leftOut: string };

export type Start<Started> = (candidate: Candidate) => Promise<Started>;

/**
 * Uses the first browser that starts: CHROMIUM_PATH, an installed one, the packaged one, the distribution's. If
 * CHROMIUM_PATH is set, no other browser is tried.
 */
export async function chooseBrowser<Started>(
  machine: Machine,
  start: Start<Started>,
): Promise<Chosen<Started>> {
  const named = machine.environment["CHROMIUM_PATH"];
  if (named) return { started: await startNamed(named, start) };

  const failures: string[] = [];
  for (const source of sources) {
    try {
      for (const candidate of await source(machine)) {
        try {
          return { started: await start(candidate) };
        } catch (error) {
          failures.push(`${candidate.executable} does not run: ${firstLine(error)}.`);
        }
      }
    } catch (error) {
      failures.push(`${firstLine(error)}.`);
    }
  }
  for (const failure of failures) machine.announce(failure);
  return {
    leftOut:
      "The browser tests were left out: no Chrome, Chromium or Edge runs here. Install one, or set CHROMIUM_PATH to its executable.",
  };
}

async function startNamed<Started>(executable: string, start: Start<Started>): Promise<Started> {
  const remedy = "Name the executable of a Chrome, Chromium or Edge, or leave the variable out.";
  if (!existsSync(executable))
    throw new Error(`CHROMIUM_PATH is ${executable}, which does not exist. ${remedy}`);
  try {
    return await start({ executable });
  } catch (error) {
    throw new Error(`CHROMIUM_PATH is ${executable}, which does not start: ${firstLine(error)}. ${remedy}`, {
      cause: error,
    });
  }
}

function firstLine(error: unknown): string {
  const [line] = String(error instanceof Error ? error.message : error).split("\n");
  return (line as string).replace(/[.:]$/, "");
}
