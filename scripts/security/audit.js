// Checks production dependencies for known vulnerabilities. This needs the registry; if it does not respond
// quickly, the step reports that and passes.
import { spawnSync } from "node:child_process";
import { isMain, root } from "./repository.js";

const answerWithinMs = 15_000;
const networkOptions = ["--fetch-timeout=5000", "--fetch-retries=0"];

/** Describes npm's output: why the audit did not run, or which vulnerabilities must be fixed. */
export function readAudit(/** @type {string} */ text) {
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    return { reason: "npm gave no answer" };
  }
  if (answer.auditReportVersion === undefined)
    return { reason: answer.message ?? answer.error?.summary ?? "npm gave no report" };
  const urgent = Object.values(answer.vulnerabilities)
    .filter(({ severity }) => severity === "high" || severity === "critical")
    .map(({ name, severity, range }) => `${name} ${range} has a hole that is ${severity}`);
  return { urgent };
}

if (isMain(import.meta.url)) {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json", ...networkOptions], {
    cwd: root,
    encoding: "utf8",
    timeout: answerWithinMs,
    shell: process.platform === "win32",
  });
  const { reason, urgent } = readAudit(stdout ?? "");
  if (urgent === undefined)
    console.log(`The audit was not run: ${reason.replaceAll(/https?:\S+/g, "the registry")}`);
  else if (urgent.length === 0) console.log("no known holes that are high or critical");
  else {
    for (const line of urgent) console.error(line);
    process.exitCode = 1;
  }
}
