import { readFile } from "node:fs/promises";
import path from "node:path";
import { install } from "./release.js";

export interface NodeRelease {
  version: string;
  program: string;
}

/** The releases that are promised: the oldest that will do, and the newest of every line. */
export const promisedRanges = ["20.19.0", "20", "22", "24"];

/** Node out of npm, where it lies as one program for each platform. */
export async function getNode(range: string, folder: string): Promise<NodeRelease> {
  const name = `node-${process.platform}-${process.arch}`;
  await install(folder, [`${name}@${range}`]);
  const place = path.join(folder, "node_modules", name);
  const { version } = JSON.parse(await readFile(path.join(place, "package.json"), "utf8")) as {
    version: string;
  };
  return { version, program: path.join(place, "bin/node") };
}
