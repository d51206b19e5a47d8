import { readConfig } from "../src/config.js";
import { OperatorError } from "../src/core/operator-error.js";

/** The problems in an environment. Empty if a service would start with it. */
export function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof OperatorError) return error.problems;
    throw error;
  }
}
