import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { buildCommand, repository } from "../../testing/built-command.js";
import { useLiveService } from "../../testing/live-service.js";

const live = useLiveService({ limits: {} });
beforeAll(buildCommand, 120_000);
beforeAll(() => live.gatehouse.app.startFeatures());

interface Step {
  commands: string;
  /** What the page says the commands print. */
  shown: string | undefined;
}

/** The shell blocks of a page, each with the text block that follows it. */
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

/** What differs from one run to the next is replaced by the placeholder of the pages. */
function masked(output: string): string {
  return output
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
    .replaceAll(/, \d+ s( \(|\n)/g, ", N s$1");
}

const marker = "=== end of step ===";

/** Runs the steps in one shell, as a reader would, and returns their output. */
async function runSteps(steps: Step[], folder: string): Promise<string[]> {
  const script = join(folder, "steps.sh");
  await writeFile(script, steps.map(({ commands }) => `${commands}\necho "${marker}"`).join("\n"));
  const { NODE_EXTRA_CA_CERTS: _authority, ...environment } = process.env;
  const shell = spawn("bash", ["-u", script], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
    // A separate process group, so that everything it started can be killed with it.
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

/** Pages that continue each other are read by one reader, in one shell. */
const readers = [
  ["docs/tutorials/first-file.md", "docs/how-to/push-files.md"],
  ["docs/tutorials/first-import.md"],
  ["docs/how-to/build-an-integration.md"],
  ["docs/how-to/send-files-with-an-api-key.md"],
];

test.each(readers)("every command of %s works, and prints what the page says", async (...pages) => {
  const { apiKey } = await live.gatehouse.tenant();
  const folder = await mkdtemp(join(live.folder, "reader-"));
  await symlink(join(repository, "node_modules"), join(folder, "node_modules"));
  await writeFile(join(folder, "key.txt"), `${apiKey}\n`);
  const texts = await Promise.all(pages.map((page) => readFile(join(repository, page), "utf8")));
  const steps = stepsOf(
    texts
      .join("\n")
      .replaceAll("https://localhost:8443", live.url)
      .replaceAll("data/tls/ca.pem", live.caFile)
      .replaceAll("ghk_...", apiKey),
  );
  expect(steps.length).toBeGreaterThan(0);

  const printed = (await runSteps(steps, folder)).map(masked);
  expect(printed).toHaveLength(steps.length);
  for (const [position, { shown }] of steps.entries()) {
    if (shown === undefined) expect(printed[position]).toBe("");
    else expect(printed[position]).toBe(shown);
  }
});
