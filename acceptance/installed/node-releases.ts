import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { install } from "./release.js";

export interface NodeRelease {
  version: string;
  program: string;
}

/** The supported releases: the oldest one, and the newest of every line. */
export const promisedRanges = ["20.19.0", "20", "22", "24"];

/** Node from npm, which has it as one program per platform. */
export async function getNode(range: string, folder: string): Promise<NodeRelease> {
  const name = `node-${process.platform}-${process.arch}`;
  await install(folder, [`${name}@${range}`]);
  const program = path.join(folder, "node_modules", name, "bin/node");
  const { stdout } = await promisify(execFile)(program, ["--version"]);
  return { version: stdout.trim().replace(/^v/, ""), program };
}
