import { afterAll, beforeAll, vi } from "vitest";
import { buildProgram } from "../src/cli/program.js";
import type { TestApp } from "./harness.js";

/** Runs commands on the database of an app, and returns their output with --json. */
export function useCommands(gatehouse: TestApp) {
  beforeAll(() => vi.stubEnv("DATABASE_URL", gatehouse.connectionString));
  afterAll(() => vi.unstubAllEnvs());
  return async (...words: string[]) => {
    const written: string[] = [];
    const stdout = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    try {
      await (await buildProgram(words)).parseAsync([...words, "--json"], { from: "user" });
    } finally {
      stdout.mockRestore();
    }
    return JSON.parse(written.join(""));
  };
}
