import { ConfigError, readConfig } from "../src/config.js";

/** What is wrong with an environment; nothing, if a service would start with it. */
export function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}
