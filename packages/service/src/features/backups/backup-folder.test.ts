import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { acquireLock } from "@gatehouse-parking/local-postgres/backup";
import { pino } from "pino";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { signedIn, visitor } from "../../../testing/console.js";
import { sendTo, useApp } from "../../../testing/harness.js";
import { sampleOf } from "../../../testing/metric-samples.js";
import { buildApp } from "../../app.js";
import { noteBackup } from "../../core/last-backup.js";
import {
  listBackups,
  writeNote,
  openBackupFolder,
  removeLeftovers,
  removeOld,
  requireDiskSpace,
} from "./backup-folder.js";
import { backupName, noteFileOf, readDatabaseName, type Trial } from "./kept-backup.js";
import { verifyBackup } from "./verify-backup.js";

const gatehouse = useApp();
const database = "1k2j3h";
let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), "gatehouse-backups-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
const at = (name: string): string => path.join(folder, name);

/** The smallest tar file that is recognized as a backup: its manifest. */
const beginning = (() => {
  const manifest = Buffer.from(JSON.stringify({ format: "gatehouse backup" }));
  const header = Buffer.alloc(512);
  const size = `${manifest.length.toString(8).padStart(11, "0")}\0`;
  const fields = { 0: "manifest.json", 100: "0000600\0", 124: size, 257: "ustar\x0000" };
  for (const [position, text] of Object.entries(fields)) header.write(text, Number(position), "latin1");
  header.write("        0", 148, "latin1");
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0")}\0 `,
    148,
    "latin1",
  );
  return gzipSync(Buffer.concat([header, manifest, Buffer.alloc(512 - manifest.length)]));
})();

async function put(
  number: number,
  trial: Trial | "no note",
  of = database,
  moment?: string,
): Promise<string> {
  const createdAt = moment ?? `2026-04-${String(number).padStart(2, "0")}T03:00:00.000Z`;
  const file = at(backupName(of, number, new Date(createdAt)));
  await writeFile(file, beginning);
  if (trial !== "no note")
    await writeNote({
      file,
      number,
      createdAt,
      bytes: beginning.length,
      trial,
      problem: null,
      triedAt: null,
    });
  return file;
}

const numbers = async () => (await listBackups(folder, database)).map(({ number }) => number);

test("the newest good backups are kept, besides failed and untested ones", async () => {
  for (const number of [1, 2, 3, 4]) await put(number, "passed");
  for (const number of [5, 6, 7]) await put(number, "failed");
  await put(8, "pending");
  await put(9, "no note");
  const removed = await removeOld(folder, database, 3);
  expect(await numbers()).toEqual([2, 3, 4, 8, 9]);
  expect(removed).toHaveLength(4);
  expect((await readdir(folder)).filter((name) => name.endsWith(".json"))).toHaveLength(4);
});

test("untested backups are kept when tests are switched on and fail", async () => {
  for (const number of [1, 2, 3, 4]) await put(number, "left out");
  for (const number of [5, 6, 7]) {
    await put(number, "failed");
    await removeOld(folder, database, 3);
  }
  expect(await numbers()).toEqual([2, 3, 4, 6, 7]);
  await put(8, "passed");
  await removeOld(folder, database, 3);
  expect(await numbers()).toEqual([3, 4, 6, 7, 8]);
});

test("backups are ordered by number, even if a clock was ahead", async () => {
  await put(1, "passed", database, "2031-01-01T00:00:00.000Z");
  await put(2, "passed", database, "2031-01-02T00:00:00.000Z");
  await put(3, "passed", database, "2026-04-01T00:00:00.000Z");
  await removeOld(folder, database, 1);
  expect(await numbers()).toEqual([3]);
});

test("only scheduled backups of this database are deleted", async () => {
  const other = await put(1, "passed", "other1");
  const notOurs = [
    "gatehouse-2026-04-01.tar.gz",
    "notes.txt",
    `gatehouse.${database}.000001.2026-04-01T03-00-00Z.tar.gz.old`,
    `gatehouse.${database}.000001.2026-13-01T03-00-00Z.tar.gz`,
    "gatehouse.other1.trial-abcdef",
    `gatehouse.${database}.trial-abcdef`,
    `gatehouse.${database}.trial-of-april.txt`,
    `${path.basename(other)}.partial-0123456789ab`,
  ];
  for (const name of notOurs) await writeFile(at(name), beginning);
  // A backup's name on a file that is not a backup, and on a link to another file.
  const renamed = await put(1, "passed");
  await writeFile(renamed, "holiday pictures");
  await writeFile(at("precious"), beginning);
  const link = await put(2, "passed");
  await rm(link);
  await symlink(at("precious"), link);
  await put(3, "passed");
  await mkdir(at(`gatehouse.${database}.trial-by-hand`));
  const before = (await readdir(folder)).toSorted();
  await removeLeftovers(folder, database);
  expect(await removeOld(folder, database, 1)).toEqual([]);
  expect((await readdir(folder)).toSorted()).toEqual(before);
  expect(await readFile(renamed, "utf8")).toBe("holiday pictures");
});

test("files of a killed process are removed: an incomplete backup, an incomplete note and a test restore", async () => {
  const whole = await put(1, "passed");
  await writeFile(`${whole}.partial-0123456789ab`, "half");
  await writeFile(`${noteFileOf(whole)}.new`, "{");
  await mkdir(at(`gatehouse.${database}.trial-Xyz123/data/postgres`), { recursive: true });
  expect(await numbers()).toEqual([1]);
  await removeLeftovers(folder, database);
  expect((await readdir(folder)).toSorted()).toEqual(
    [whole, noteFileOf(whole)].map((file) => path.basename(file)).toSorted(),
  );
});

test("without a readable note a backup counts as untested", async () => {
  const file = await put(1, "passed");
  for (const text of [
    "",
    "null",
    '"passed"',
    '{"createdAt":"yesterday","trial":"passed"}',
    "x".repeat(70_000),
  ]) {
    await writeFile(noteFileOf(file), text);
    expect(await listBackups(folder, database)).toMatchObject([
      { trial: "pending", createdAt: "2026-04-01T03:00:00.000Z", bytes: beginning.length },
    ]);
  }
});

test("the backup folder is private, outside of the data folder, and created without its parents", async () => {
  const data = at("data");
  await mkdir(data);
  const made = await openBackupFolder(at("backups"), data);
  expect((await stat(made)).mode & 0o777).toBe(0o700);
  await symlink(data, at("link"));
  await symlink(made, at("elsewhere"));
  expect(await openBackupFolder(at("elsewhere"), data)).toBe(made);
  await expect(openBackupFolder(at("link"), data)).rejects.toThrow("is in the data folder");
  await expect(openBackupFolder(at("link/inner"), data)).rejects.toThrow("is in the data folder");
  await expect(openBackupFolder(at("not/mounted"), data)).rejects.toThrow("its parent folder does not exist");
  await noteBackup(data, { createdAt: "2026-04-01T03:00:00.000Z", file: path.join(made, "one"), bytes: 1 });
  expect(await openBackupFolder(at("backups"), data)).toBe(made);
  await rm(made, { recursive: true });
  await expect(openBackupFolder(at("backups"), data)).rejects.toThrow(/does not exist.*Is its disk mounted/);
  expect(await readdir(folder)).not.toContain("backups");
  await writeFile(at("file"), "");
  await expect(openBackupFolder(at("file"), data)).rejects.toThrow("is not a folder");
});

test("a full disk is reported before anything is written, and a file that is not a backup is rejected", async () => {
  const needs = { folder, lastBytes: undefined, isTried: true };
  await requireDiskSpace({ ...needs, databaseBytes: 0 });
  await expect(requireDiskSpace({ ...needs, databaseBytes: 2 ** 50 })).rejects.toThrow(
    /not enough disk space .* MB are free.*GATEHOUSE_BACKUP_VERIFY=off/,
  );
  const { signal } = new AbortController();
  const folderPrefix = at("trial-");
  await writeFile(at("backup"), beginning);
  await expect(verifyBackup(at("backup"), { folderPrefix, signal })).rejects.toThrow(
    "version undefined of the format",
  );
  expect(await readdir(folder)).toEqual(["backup"]);
});

test("backups run one at a time: the next waits until it is aborted or the other one ends", async () => {
  const { work } = gatehouse.database;
  const [first, second] = [await work.connect(), await work.connect()];
  const turn = 99;
  const patience = new AbortController();
  try {
    await acquireLock(first, turn, patience.signal);
    const waiting = acquireLock(second, turn, patience.signal);
    patience.abort();
    await expect(waiting).rejects.toThrow("aborted");
    first.release(true);
    await acquireLock(second, turn, new AbortController().signal);
  } finally {
    second.release(true);
  }
});

test("operators and Prometheus see the last good backup, the next due time and failures", async () => {
  const { work } = gatehouse.database;
  const config = { ...gatehouse.config, backupDirectory: folder };
  const logger = pino({ level: "silent" });
  const app = await buildApp({ config, database: gatehouse.database, logger });
  onTestFinished(() => app.close());
  const backups = app.backupSchedule;
  const { email, userId, cookie } = await signedIn(gatehouse, "operator");
  const there = { ...gatehouse, send: (request: Parameters<typeof sendTo>[1]) => sendTo(app, request) };
  const operator = visitor(there, email, userId, cookie);
  const seen = async () => (await operator.get("/installation/service")).json.scheduledBackups;
  expect(await seen()).toMatchObject({ folder, lastGood: null, failure: null, isOverdue: false, kept: 7 });
  expect(await sampleOf(app, "gatehouse_backup_last_good_timestamp_seconds")).toBeUndefined();

  const createdAt = new Date(Date.now() - 60_000).toISOString();
  const file = await put(1, "passed", await readDatabaseName(work), createdAt);
  await backups?.check();
  expect(await seen()).toMatchObject({
    lastGood: { file, createdAt, bytes: beginning.length },
    nextAt: new Date(Date.parse(createdAt) + 86_400_000).toISOString(),
    isRunning: false,
  });
  expect(await sampleOf(app, "gatehouse_backup_last_good_timestamp_seconds")).toBe(
    Date.parse(createdAt) / 1_000,
  );
  expect(await sampleOf(app, "gatehouse_backup_overdue")).toBe(0);
  expect(await sampleOf(gatehouse.app, "gatehouse_backup_failed_attempts")).toBe(0);
});
