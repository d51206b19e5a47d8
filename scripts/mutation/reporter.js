// Runs in the test runner: writes down which files of tests have failed. Hooks that fail count too, which the tests'
// own process does not see.
import { appendFileSync } from "node:fs";
import path from "node:path";

export default class Reporter {
  onTestModuleEnd(testModule) {
    const name = path.basename(testModule.moduleId);
    const error = testModule.errors()[0]?.message;
    const fact = { module: name, hasFailed: testModule.state() === "failed", ...(error ? { error } : {}) };
    appendFileSync(String(process.env.MUTANT_RESULTS), `${JSON.stringify(fact)}\n`);
  }
}
