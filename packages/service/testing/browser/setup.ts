import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { sayLeftOut } from "../../../../testing/left-out.js";
import { chooseBrowser } from "./choose.js";
import { startBrowser } from "./server.js";
import { thisMachine } from "./sources.js";

/**
 * One browser per test run, shared by all test files. Each file has separate contexts. Without a browser, the tests
 * that need one are skipped, and the test command says so at its end.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-browser-"));
  project.provide("folderOfRun", folder);
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  const chosen = await chooseBrowser(thisMachine(), startBrowser);
  if ("leftOut" in chosen) {
    project.provide("browser", chosen);
    sayLeftOut(chosen.leftOut);
    return removeFolder;
  }
  project.provide("browser", { endpoint: chosen.started.wsEndpoint() });
  return async () => {
    await chosen.started.close();
    await removeFolder();
  };
}
