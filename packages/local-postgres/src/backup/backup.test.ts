import { randomBytes } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { example } from "../../testing/example.js";
import { prepareCluster } from "../cluster.js";
import { openArchive } from "./archive-reader.js";
import { writeArchive } from "./archive-writer.js";
import { backUp } from "./back-up.js";
import { clusterEntries } from "./cluster-files.js";
import {
  currentFormatVersion,
  formatOf,
  manifestName,
  type BackupKind,
  type Manifest,
  explainFullDisk,
} from "./manifest.js";
import { restore } from "./restore.js";
import { chooseOwners, unpack } from "./unpack.js";

// Whole backups of a whole service are made and restored in acceptance/backup.test.ts.

interface Facts {
  version: string;
  isTooNew?: boolean;
}

const kind: BackupKind<Facts> = {
  product: example,
  files: ["secret.key"],
  folders: ["tls"],
  readFacts: async () => ({ version: "1.0.0" }),
  makerOf: ({ version }) => `Example ${version}`,
  problemOf: ({ isTooNew }) => (isTooNew ? "and is too new." : undefined),
};

const { signal } = new AbortController();
const whole = {
  format: formatOf(example),
  formatVersion: currentFormatVersion,
  version: "1.0.0",
  postgresMajor: 18,
  platform: "linux-x64",
  createdAt: "2026-04-01T14:30:00.000Z",
} satisfies Manifest & Facts;
const manifest = Buffer.from(JSON.stringify(whole));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "backup-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const at = (...parts: string[]): string => path.join(folder, ...parts);

test("an archive is complete although files grow, shrink and disappear while they are copied", async () => {
  await writeFile(at("growing"), Buffer.alloc(2_000_000));
  await writeFile(at("shrinking"), Buffer.alloc(2_000_000));
  await writeArchive(at("archive"), signal, async (archive) => {
    await archive.addBytes(manifestName, 0o600, manifest);
    const growing = archive.addFile("growing", at("growing"));
    await appendFile(at("growing"), "more");
    expect(await growing).toBe(true);
    const shrinking = archive.addFile("shrinking", at("shrinking"));
    await truncate(at("shrinking"), 10);
    expect(await shrinking).toBe(true);
    expect(await archive.addFile("gone", at("gone"))).toBe(false);
  });
  const archive = await openArchive(at("archive"), example, signal);
  const sizes = new Map<string, number>();
  await archive.takeEntries(async ({ name, content }) => {
    for await (const chunk of content) sizes.set(name, (sizes.get(name) ?? 0) + chunk.byteLength);
  });
  await archive.close();
  // Whichever comes first, the opening or the change.
  expect([2_000_000, 2_000_004]).toContain(sizes.get("growing"));
  expect([2_000_000, 10]).toContain(sizes.get("shrinking"));
  expect(sizes.size).toBe(2);
});

test("a backup that cannot be written fails with the reason and leaves no file", async () => {
  const large = Buffer.alloc(8_000_000);
  const writing = writeArchive(at("none", "archive"), signal, async (archive) => {
    for (;;) await archive.addBytes("large", 0o600, large);
  });
  await expect(writing).rejects.toThrow("ENOENT");
  expect(await readdir(folder)).toEqual([]);
});

test("an error about a full disk names the file, and other errors stay unchanged", async () => {
  // Every write to this device fails with ENOSPC.
  const full = await writeFile("/dev/full", "x").catch((error: unknown) => error);
  const { message, cause } = explainFullDisk(full, "/backups/archive") as Error;
  expect(message).toMatch(/^\/backups\/archive could not be written: the disk is full\. .*Free some space/);
  expect(cause).toBe(full);
  const absent = await readFile(at("absent")).catch((error: unknown) => error);
  expect(explainFullDisk(absent, "/backups/archive")).toBe(absent);
});

test("a backup that fails halfway leaves no file and keeps the older backup", async () => {
  await writeFile(at("archive"), "older");
  const writing = writeArchive(at("archive"), signal, async (archive) => {
    await archive.addBytes("part", 0o600, Buffer.alloc(1_000_000));
    throw new Error("The server is gone");
  });
  await expect(writing).rejects.toThrow("The server is gone");
  expect(await readdir(folder)).toEqual(["archive"]);
  expect(await readFile(at("archive"), "utf8")).toBe("older");
});

test("a backup leaves out temporary files and files that a start creates", async () => {
  for (const name of ["base/5/pgsql_tmp", "pg_wal/archive_status", "pg_replslot/one", "global", "pg_xact"])
    await mkdir(at(name), { recursive: true });
  const files = [
    ...["PG_VERSION", "postmaster.pid", "backup_label", "global/pg_control", "global/1260", "pg_xact/0000"],
    ...["base/5/16384", "base/5/16384_fsm", "base/5/16384.1", "base/5/t3_16390", "base/5/t12_16390_vm.2"],
    ...[
      "base/5/pg_internal.init",
      "base/5/pgsql_tmp/1",
      "pg_wal/000000010000000000000001",
      "pg_replslot/one/state",
    ],
  ];
  for (const name of files) await writeFile(at(name), "");
  const names: string[] = [];
  for await (const { name } of clusterEntries(folder)) names.push(name);
  expect(names.toSorted()).toEqual(
    [
      ...["PG_VERSION", "base", "base/5", "base/5/16384", "base/5/16384.1", "base/5/16384_fsm"],
      ...["global", "global/1260", "pg_replslot", "pg_wal", "pg_xact", "pg_xact/0000"],
    ].toSorted(),
  );
});

test.each([
  "../outside",
  "/etc/passwd",
  "postgres/../../outside",
  "tls\\..\\outside",
  "other",
  "secret.key/x",
  "",
])("an archive that contains %j is refused", async (name) => {
  const entry = { name, mode: 0o600, content: (async function* () {})() };
  await expect(unpack(entry, folder, await chooseOwners(folder, example), kind)).rejects.toThrow(
    "it contains",
  );
});

/** An archive as of a database, with nothing in its files. */
async function makeArchive(changes: Record<string, unknown> = {}): Promise<string> {
  const described = { ...whole, ...changes };
  await writeArchive(at("archive"), signal, async (archive) => {
    await archive.addBytes(manifestName, 0o600, Buffer.from(JSON.stringify(described)));
    await archive.addBytes("postgres.password", 0o600, Buffer.from("secret"));
    await archive.addFolder("postgres", 0o700);
    await archive.addBytes("postgres/PG_VERSION", 0o600, randomBytes(100_000));
  });
  return at("archive");
}

test.each([
  ["a newer format", { formatVersion: 2 }, "version 2 of the format"],
  ["another PostgreSQL", { postgresMajor: 17 }, "with PostgreSQL 17, and this release has PostgreSQL 18"],
  ["a product that is too new", { isTooNew: true }, "was made by Example 1.0.0, and is too new."],
  ["something else", { format: "other" }, "is not a backup of Example"],
])("a backup of %s is refused before anything is made", async (_what, changes, message) => {
  const file = await makeArchive(changes);
  await expect(restore(kind, { dataDirectory: at("data"), file, signal })).rejects.toThrow(message);
  expect(await readdir(folder)).toEqual(["archive"]);
});

test("a truncated or changed backup is rejected wherever the change is, and no file is left", async () => {
  const file = await makeArchive();
  const bytes = await readFile(file);
  const headerBytes = 10;
  for (let part = 0; part < 20; part += 1) {
    const position = headerBytes + Math.floor(((bytes.length - headerBytes) * part) / 20);
    const changed = Buffer.from(bytes);
    changed[position] = (changed[position] as number) ^ 1;
    for (const [what, spoilt] of Object.entries({ cut: bytes.subarray(0, position), changed })) {
      await writeFile(file, spoilt);
      const restoring = restore(kind, { dataDirectory: at("data"), file, signal });
      await expect(restoring, `${what} at ${position}`).rejects.toThrow("is damaged");
      expect(await readdir(folder)).toEqual(["archive"]);
    }
  }
  await writeFile(file, bytes);
  await restore(kind, { dataDirectory: at("data"), file, signal });
  expect(await readFile(at("data", "postgres.password"), "utf8")).toBe("secret");
});

test("a file that is not an archive and a missing file are reported", async () => {
  await writeFile(at("text"), "hello");
  const restoring = (name: string) => restore(kind, { dataDirectory: at("data"), file: at(name), signal });
  await expect(restoring("text")).rejects.toThrow("is not a backup of Example");
  await expect(restoring("none")).rejects.toThrow("The backup cannot be read: ENOENT");
  await expect(restore(kind, { dataDirectory: at("data"), file: folder, signal })).rejects.toThrow("EISDIR");
});

test("a backup is not written where it would be lost together with the data", async () => {
  await mkdir(at("data", "postgres"), { recursive: true });
  await writeFile(at("data", "postgres", "PG_VERSION"), "18\n");
  const options = { dataDirectory: at("data"), signal };
  await expect(backUp(kind, { ...options, file: at("data", "archive") })).rejects.toThrow(
    "is in the data folder",
  );
  await expect(backUp(kind, { ...options, file: at("none", "archive") })).rejects.toThrow("cannot be used");
  await expect(backUp(kind, { ...options, file: folder })).rejects.toThrow("is not a file");
});

test("an unfinished restore is reported instead of creating an empty database", async () => {
  await mkdir(at("data", "restore.new-abc"), { recursive: true });
  await expect(
    prepareCluster({ product: example, dataDirectory: at("data"), mayCreate: true, log: () => {} }),
  ).rejects.toThrow(/restore into .* is running or was killed/);
});
