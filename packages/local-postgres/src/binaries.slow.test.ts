import { execFile } from "node:child_process";
import { chmod, cp, lstat, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { example } from "../testing/example.js";
import { lockingLauncher } from "./launcher.js";
import { prepareCluster, type Cluster } from "./cluster.js";
import { prepareBinaries } from "./binaries.js";
import { stopPostmaster } from "./postmaster.js";
import { ensurePostmaster } from "./start-postmaster.js";

const isRoot = process.geteuid?.() === 0;
const capabilityDacOverride = 1n << 1n;
const capabilityDacReadSearch = 1n << 2n;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "binaries-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** A copy of the platform package's binaries, in a folder that only its owner may enter. */
async function copyNativeDirectory(): Promise<string> {
  const { postgres } = await prepareBinaries(example);
  const copy = path.join(folder, "package", "native");
  await cp(path.resolve(path.dirname(postgres), ".."), copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

async function removeSymlinks(nativeDirectory: string): Promise<string[]> {
  const list = JSON.parse(await readFile(path.join(nativeDirectory, "pg-symlinks.json"), "utf8")) as {
    target: string;
  }[];
  const links = list.map(({ target }) => path.join(nativeDirectory, "..", target));
  for (const link of links) await rm(link);
  return links;
}

test("a start repairs links and executable bits that blocked install scripts have left out", async () => {
  const nativeDirectory = await copyNativeDirectory();
  const links = await removeSymlinks(nativeDirectory);
  const names = ["initdb", "postgres", "pg_ctl"];
  for (const name of names) await chmod(path.join(nativeDirectory, "bin", name), 0o644);

  // Two processes may repair at the same moment.
  const [binaries] = await Promise.all([
    prepareBinaries(example, nativeDirectory),
    prepareBinaries(example, nativeDirectory),
  ]);
  for (const link of links) expect((await lstat(link)).isSymbolicLink()).toBe(true);
  const { stdout } = await promisify(execFile)(binaries.postgres, ["--version"]);
  expect(stdout).toMatch(/^postgres \(PostgreSQL\) 18/);
  expect((await stat(binaries.initdb)).mode & 0o777).toBe(0o755);
});

test("an installation that cannot be repaired is reported with a solution", async () => {
  const nativeDirectory = await copyNativeDirectory();
  await removeSymlinks(nativeDirectory);
  // A file in the folder's place stops everybody, root included.
  await rename(path.join(nativeDirectory, "lib"), path.join(nativeDirectory, "lib-elsewhere"));
  await writeFile(path.join(nativeDirectory, "lib"), "");
  await expect(prepareBinaries(example, nativeDirectory)).rejects.toThrow(
    /cannot be repaired.*as the owner of node_modules.*EXAMPLE_SERVER/s,
  );
});

async function withServer(cluster: Cluster, work: (pid: number) => Promise<void>): Promise<void> {
  const { pid } = await ensurePostmaster(cluster);
  await work(pid).finally(() => stopPostmaster(cluster, pid, () => {}));
}

// There is nothing to show of this to an ordinary user.
if (isRoot) {
  test("as root, a checkout and data in private folders work and stay private", async () => {
    const binaries = await prepareBinaries(example, await copyNativeDirectory());
    await chmod(folder, 0o700);
    const cluster = await prepareCluster({
      product: example,
      mayCreate: true,
      dataDirectory: path.join(folder, "data"),
      log: () => {},
      binaries,
    });
    await withServer(cluster, async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      expect(status).not.toMatch(/^Uid:.*\b0\b/m);
      const capabilities = BigInt(`0x${/^CapEff:\s*(\w+)/m.exec(status)?.[1]}`);
      expect([capabilityDacOverride, capabilityDacReadSearch]).toContain(capabilities);
    });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test("as root, a server that can enter all folders keeps no capability", async () => {
    await chmod(folder, 0o755);
    const cluster = await prepareCluster({
      product: example,
      mayCreate: true,
      dataDirectory: path.join(folder, "data"),
      log: () => {},
    });
    await withServer(cluster, async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      // In a checkout below a private home folder it needs one after all.
      const reachable = cluster.launcher("true", []).command === "true";
      expect(/^CapEff:\s*0+$/m.test(status)).toBe(reachable);
    });
  });
}

// flock is Linux's; elsewhere PostgreSQL's own guard stands alone.
if (process.platform === "linux") {
  test("a running server locks its folder against other containers", async () => {
    await chmod(folder, 0o755);
    const cluster = await prepareCluster({
      product: example,
      mayCreate: true,
      dataDirectory: path.join(folder, "data"),
      log: () => {},
    });
    await withServer(cluster, async () => {
      expect(await lockingLauncher(cluster.launcher, cluster.directory)).toBeUndefined();
    });
    expect(await lockingLauncher(cluster.launcher, cluster.directory)).toBeDefined();
  });
}
