import { chromium, type BrowserServer } from "playwright-core";
import type { Candidate } from "./sources.js";
import { versionOf } from "./version.js";

const launchTimeoutMs = 180_000;

/** Root may not use the sandbox, a small container has little /dev/shm, and no test may call out to the network. */
const browserArguments = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-domain-reliability",
  "--disable-sync",
  "--no-first-run",
  "--no-pings",
];

/** Starts the browser, which counts as one only if it really runs. */
export async function startBrowser(candidate: Candidate): Promise<BrowserServer> {
  // On Windows a browser opens a window instead of telling its version.
  if (process.platform !== "win32") await versionOf(candidate);
  return chromium.launchServer({
    executablePath: candidate.executable,
    args: browserArguments,
    timeout: launchTimeoutMs,
    env: { ...process.env, ...candidate.environment },
  });
}
