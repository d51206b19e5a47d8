import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const updateTimeoutMs = 180_000;
const installTimeoutMs = 600_000;
const maxOutputBytes = 16 * 1024 * 1024;
/** Debian only recommends fonts to its browser, which shows no text without any. */
const packages = ["chromium", "fonts-liberation"];
/** Another installation may be under way; it is waited for. */
const patience = ["-o", "DPkg::Lock::Timeout=120"];

/** Installs the distribution's Chromium, which is on PATH then, under the name of its package. */
export async function installChromium(aptGet: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const options = {
    env: { ...environment, DEBIAN_FRONTEND: "noninteractive" },
    maxBuffer: maxOutputBytes,
  };
  await run(aptGet, ["update", ...patience], { ...options, timeout: updateTimeoutMs });
  await run(aptGet, ["install", "--yes", "--no-install-recommends", ...patience, ...packages], {
    ...options,
    timeout: installTimeoutMs,
  });
}
