import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

/** A system program that a rig uses. */
export interface Program {
  command: string;
  environment: Record<string, string>;
}

const run = promisify(execFile);
const binaryFolders = ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"];
const downloadTimeoutMs = 300_000;

/**
 * The installed program, or the one from Debian's package, unpacked into a folder: nothing is installed,
 * started or changed, and no rights are needed. If there is no such package, the reason.
 */
export async function obtainProgram(
  name: string,
  packageName: string,
): Promise<{ program: Program; leave(): Promise<void> } | { missing: string }> {
  const installed = [...(process.env["PATH"] ?? "").split(path.delimiter), ...binaryFolders]
    .map((folder) => path.join(folder, name))
    .find(existsSync);
  if (installed) return { program: { command: installed, environment: {} }, leave: async () => undefined };
  const folder = await mkdtemp(path.join(tmpdir(), `gatehouse-${name}-`));
  const leave = (): Promise<void> => rm(folder, { recursive: true, force: true });
  console.log(`${name} is not installed; Debian's package ${packageName} is unpacked into ${folder}`);
  try {
    return { program: await unpack(name, packageName, folder), leave };
  } catch (error) {
    await leave();
    return { missing: (error as Error).message.trim().split("\n").at(-1) ?? "no reason given" };
  }
}

async function unpack(name: string, packageName: string, folder: string): Promise<Program> {
  for (const needed of ["lists/partial", "archives/partial", "root"])
    await mkdir(path.join(folder, needed), { recursive: true });
  const apt = (...words: string[]): Promise<unknown> =>
    run(
      "apt-get",
      [
        ...["-o", `Dir::Cache=${folder}`, "-o", `Dir::State::lists=${folder}/lists`],
        ...["-o", "Debug::NoLocking=true", "-o", "APT::Sandbox::User=", ...words],
      ],
      { timeout: downloadTimeoutMs },
    );
  await apt("update");
  await apt("install", "--yes", "--download-only", "--no-install-recommends", packageName);
  const archives = path.join(folder, "archives");
  const root = path.join(folder, "root");
  for (const file of (await readdir(archives)).filter((each) => each.endsWith(".deb")))
    await run("dpkg-deb", ["-x", path.join(archives, file), root]);
  const command = ["usr/sbin", "usr/bin"].map((each) => path.join(root, each, name)).find(existsSync);
  if (!command) throw new Error(`the package ${packageName} has no ${name}`);
  const libraries = await readdir(path.join(root, "usr/lib")).catch(() => []);
  const paths = libraries.map((each) => path.join(root, "usr/lib", each));
  return { command, environment: { LD_LIBRARY_PATH: paths.join(":") } };
}
