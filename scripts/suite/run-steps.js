// Runs the steps of a suite as processes, and ends all of them when one fails.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import path from "node:path";
import { root } from "../security/repository.js";

/**
 * @typedef {import("./suites.js").Check} Check
 * @typedef {{ title: string, seconds: number }} Ran
 */

/** A step that failed, after its output was printed. */
export class StepFailed extends Error {}

export class StepRunner {
  /** @type {Set<import("node:child_process").ChildProcess>} */
  #running = new Set();
  /** @type {NodeJS.ProcessEnv} */
  #environment;
  /** @type {Ran[]} */
  ran = [];

  /** @param {NodeJS.ProcessEnv} variables */
  constructor(variables) {
    this.#environment = { ...process.env, ...variables };
  }

  /**
   * Builds and runs the checks side by side, one per core. Checks that need the build wait for it.
   * @param {Check} build
   * @param {Check[]} checks
   */
  async checks(build, checks) {
    const built = this.run(build, "pipe");
    // The lanes report the failure; without this handler, the unhandled rejection would end the process first.
    built.catch(() => undefined);
    const waiting = [
      ...checks.filter((check) => !check.needsBuild),
      ...checks.filter((check) => check.needsBuild),
    ];
    const lane = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        if (next.needsBuild) await built;
        await this.run(next, "pipe");
      }
    };
    const others = Math.max(1, availableParallelism() - 1);
    await Promise.all([built.then(lane), ...Array.from({ length: others }, lane)]);
  }

  /**
   * @param {Check} step
   * @param {"inherit" | "pipe"} output shown at once, or, while other steps print too, when the step has ended
   */
  async run({ title, command }, output) {
    if (output === "inherit") console.log(`\n=== ${title}`);
    const begun = performance.now();
    const [program = "", ...programArguments] = command;
    const child = spawn(binary(program), programArguments, {
      cwd: root,
      stdio: ["inherit", output, output],
      shell: process.platform === "win32",
      env: this.#environment,
    });
    this.#running.add(child);
    /** @type {Buffer[]} */
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => printed.push(chunk));
    const problem = await new Promise((resolve) => {
      child.once("error", (error) => resolve(error.message));
      child.once("close", (status, signal) =>
        resolve(status === 0 ? undefined : `exit status ${signal ?? status}`),
      );
    });
    this.#running.delete(child);
    const seconds = (performance.now() - begun) / 1000;
    this.ran.push({ title, seconds });
    const text = Buffer.concat(printed).toString().trim();
    console.log(`${problem === undefined ? "ok  " : "FAIL"} ${title} (${seconds.toFixed(1)} s)`);
    if (problem === undefined) return;
    if (text !== "") console.log(text);
    for (const other of this.#running) other.kill();
    throw new StepFailed(`${title}: ${problem}`);
  }
}

/** @param {string} name */
function binary(name) {
  return name === "node" ? process.execPath : path.join(root, "node_modules/.bin", name);
}
