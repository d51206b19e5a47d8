import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);
const updateTimeoutMs = 180_000;
const installTimeoutMs = 600_000;
const maxOutputBytes = 16 * 1024 * 1024;
/** Debian's browser only recommends fonts, but shows no text without one. */
const packages = ["chromium", "fonts-liberation"];
/** Waits for another installation that may be running. */
const patience = ["-o", "DPkg::Lock::Timeout=120"];

/** Installs the distribution's Chromium, which is then on PATH under the name of its package. */
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
