import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { folderInMemory } from "../testing/folder-in-memory.js";
import { startKeeper } from "./rigs/keeper.js";

/**
 * The data folder of an initialized, empty database server, for tests to copy. Initializing one takes longer
 * than most tests, so only tests of a first start do it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await folderInMemory("gatehouse-made-");
  const data = path.join(folder, "data");
  const { keeper } = await startKeeper(data);
  const ended = once(keeper, "close");
  keeper.kill("SIGTERM");
  const [exitCode] = (await ended) as [number | null];
  if (exitCode !== 0) throw new Error(`The database server was not stopped in good order: ${exitCode}`);
  // The server stores its port here, and every copy needs a separate one.
  await rm(path.join(data, "postgres", "postmaster.opts"));
  project.provide("madeDatabase", data);
  return () => rm(folder, { recursive: true, force: true });
}

declare module "vitest" {
  interface ProvidedContext {
    madeDatabase: string;
  }
}
