import { spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export const gatehouseCommand = fileURLToPath(
  new URL("../packages/service/bin/gatehouse.js", import.meta.url),
);

export interface CommandResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** The output of --json. Tests read it without types; a wrong guess fails the test, not the compiler. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly json: any;
}

/** Far more than any command takes, so that a busy machine does not fail the test. */
const timeoutMs = 480_000;

/** The variables that every process needs. Tests add their own, and the machine's configuration is left out. */
export function environment(variables: Record<string, string>): Record<string, string> {
  return { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "/", ...variables };
}

/** `flags({ name: "North", timeZone: "UTC" })` returns `--name North --time-zone UTC`; a list repeats its option. */
export function flags(options: Record<string, string | string[]>): string[] {
  return Object.entries(options).flatMap(([name, values]) =>
    [values]
      .flat()
      .flatMap((value) => [`--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`, value]),
  );
}

/** `program` is the command of another build. */
export type CommandOptions = { input?: string; program?: string } & Pick<SpawnOptions, "cwd" | "uid" | "gid">;

/** Runs one gatehouse command to its end. */
export async function gatehouse(
  commandArguments: string[],
  variables: Record<string, string>,
  options: CommandOptions = {},
): Promise<CommandResult> {
  return startCommand(commandArguments, variables, options).result;
}

/** The same, for callers that may end it earlier. */
export function startCommand(
  commandArguments: string[],
  variables: Record<string, string>,
  options: CommandOptions = {},
): { kill(signal: NodeJS.Signals): void; result: Promise<CommandResult> } {
  const { input = "", program = gatehouseCommand, ...spawnOptions } = options;
  const child = spawn(process.execPath, [program, ...commandArguments], {
    ...spawnOptions,
    env: environment(variables),
    stdio: "pipe",
    timeout: timeoutMs,
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => {}).end(input);
  const result = once(child, "close").then(([exitCode]) => ({
    exitCode: exitCode as number | null,
    stdout,
    stderr,
    get json() {
      if (exitCode !== 0) throw new Error(`gatehouse ${commandArguments.join(" ")} failed:\n${stderr}`);
      return JSON.parse(stdout);
    },
  }));
  return { kill: (signal) => void child.kill(signal), result };
}
