import { chromium, type BrowserServer } from "playwright-core";
import type { Candidate } from "./sources.js";
import { versionOf } from "./version.js";

const launchTimeoutMs = 180_000;

/** Root cannot use the sandbox, small containers have little /dev/shm, and tests must not connect to the network. */
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

/** Starts the browser and checks that it works. */
export async function startBrowser(candidate: Candidate): Promise<BrowserServer> {
  // On Windows a browser opens a window instead of printing its version.
  if (process.platform !== "win32") await versionOf(candidate);
  return chromium.launchServer({
    executablePath: candidate.executable,
    args: browserArguments,
    timeout: launchTimeoutMs,
    env: { ...process.env, ...candidate.environment },
  });
}
