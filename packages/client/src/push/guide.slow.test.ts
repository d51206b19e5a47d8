import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { buildCommand, repository } from "../../testing/built-command.js";
import { useLiveService } from "../../testing/live-service.js";

const live = useLiveService({ limits: {} });
beforeAll(buildCommand, 120_000);

interface Step {
  commands: string;
  /** What the guide says the commands print. */
  shown: string | undefined;
}

/** The guide's shell blocks, each with the text block that follows it. */
function stepsOf(guide: string): Step[] {
  const blocks = [...guide.matchAll(/^```(sh|text)\n(.*?)^```$/gms)].map(([, kind, content]) => ({
    kind,
    content,
  }));
  return blocks.flatMap(({ kind, content = "" }, position) => {
    const next = blocks[position + 1];
    return kind === "sh"
      ? [{ commands: content, shown: next?.kind === "text" ? next.content : undefined }]
      : [];
  });
}

/** What differs from one run to the next is replaced by what the guide shows in its place. */
function masked(output: string): string {
  return output
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
    .replaceAll(/, \d+ s( \(|\n)/g, ", N s$1");
}

const marker = "=== end of step ===";

/** Runs the steps one after the other in one shell, as a reader would, and returns what each printed. */
async function runSteps(steps: Step[], folder: string): Promise<string[]> {
  const script = join(folder, "steps.sh");
  await writeFile(script, steps.map(({ commands }) => `${commands}\necho "${marker}"`).join("\n"));
  const { NODE_EXTRA_CA_CERTS: _authority, ...environment } = process.env;
  const shell = spawn("bash", ["-u", script], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
    // A group of its own, so that everything it started can be ended with it.
    detached: true,
  });
  onTestFinished(() => {
    if (shell.exitCode === null && shell.pid) process.kill(-shell.pid, "SIGKILL");
  });
  let printed = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  await once(shell, "close");
  return printed.split(`${marker}\n`).slice(0, -1);
}

test("every command of the guide works, and prints what the guide says", async () => {
  const { apiKey } = await live.gatehouse.tenant();
  const folder = join(live.folder, "reader");
  await mkdir(folder);
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "key.txt"), `${apiKey}\n`);
  const guide = await readFile(join(repository, "docs/guide/from-file-to-first-import.md"), "utf8");
  const steps = stepsOf(
    guide.replaceAll("https://localhost:8443", live.url).replaceAll("data/tls/ca.pem", live.caFile),
  );
  expect(steps.length).toBeGreaterThan(8);

  const printed = (await runSteps(steps, folder)).map(masked);
  expect(printed).toHaveLength(steps.length);
  for (const [position, { shown }] of steps.entries()) {
    if (shown === undefined) expect(printed[position]).toBe("");
    else expect(printed[position]).toBe(shown);
  }
});
