import { once } from "node:events";
import { rm } from "node:fs/promises";
import path from "node:path";
import type { TestProject } from "vitest/node";
import { folderInMemory } from "../testing/folder-in-memory.js";
import { startKeeper } from "./rigs/keeper.js";

/**
 * The data folder of a database server that has been made and holds nothing yet, for tests to copy: making one takes
 * longer than most of them do, and those that are about a first start make their own.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await folderInMemory("gatehouse-made-");
  const data = path.join(folder, "data");
  const { keeper } = await startKeeper(data);
  const ended = once(keeper, "close");
  keeper.kill("SIGTERM");
  const [exitCode] = (await ended) as [number | null];
  if (exitCode !== 0) throw new Error(`The database server was not stopped in good order: ${exitCode}`);
  // Where the server remembers its port: every copy shall have one of its own.
  await rm(path.join(data, "postgres", "postmaster.opts"));
  project.provide("madeDatabase", data);
  return () => rm(folder, { recursive: true, force: true });
}

declare module "vitest" {
  interface ProvidedContext {
    madeDatabase: string;
  }
}
