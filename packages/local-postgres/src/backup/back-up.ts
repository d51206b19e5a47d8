import { readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isCluster } from "../cluster.js";
import { clusterFolder, passwordFile } from "../data-folder.js";
import { missingDatabase, type Product } from "../product.js";
import { startServer, type LocalServer } from "../server.js";
import { writeArchive, type ArchiveWriter } from "./archive-writer.js";
import { withBaseBackup } from "./base-backup.js";
import { clusterEntries } from "./cluster-files.js";
import {
  currentFormatVersion,
  formatOf,
  manifestName,
  type BackupContents,
  type BackupKind,
  type Checksum,
  type Manifest,
} from "./manifest.js";

export interface BackUpOptions {
  dataDirectory: string;
  file: string;
  /** Settings of a server that is started only for the backup. */
  settings?: Record<string, string>;
  /** The running server of the data folder, if the caller already uses it. */
  server?: Pick<LocalServer, "connectionString">;
  signal: AbortSignal;
}

export type BackUpReport<Facts> = Manifest & Facts & Checksum & { file: string; fileBytes: number };

/**
 * Copies the embedded database and the files beside it into one file. If no server is running, it starts one, so that there is
 * only one way to make a backup.
 */
export async function backUp<Facts extends object>(
  kind: BackupKind<Facts>,
  options: BackUpOptions,
): Promise<BackUpReport<Facts>> {
  const { product } = kind;
  const file = path.resolve(options.file);
  const dataDirectory = await findDataFolder(options.dataDirectory, product);
  await requireSuitablePlace(file, dataDirectory);
  const started = options.server
    ? undefined
    : await startServer({ product, dataDirectory, settings: options.settings ?? {} });
  const { connectionString } = options.server ?? (started as LocalServer);
  try {
    const createdAt = new Date().toISOString();
    return await withBaseBackup(connectionString, product, options.signal, async (backup) => {
      const manifest: Manifest & Facts = {
        format: formatOf(product),
        formatVersion: currentFormatVersion,
        ...(await kind.readFacts(backup.client)),
        postgresMajor: backup.postgresMajor,
        platform: `${process.platform}-${process.arch}`,
        createdAt,
      };
      const written = await writeArchive(file, options.signal, async (archive) => {
        await archive.addBytes(manifestName, 0o600, Buffer.from(`${JSON.stringify(manifest)}\n`));
        await addFilesBeside(archive, dataDirectory, kind);
        const cluster = path.join(dataDirectory, clusterFolder);
        await addClusterFiles(archive, cluster);
        const { label, logSegments } = await backup.stop();
        await archive.addBytes(`${clusterFolder}/backup_label`, 0o600, Buffer.from(label));
        await addLog(archive, cluster, logSegments);
      });
      return { ...manifest, ...written, file };
    });
  } finally {
    await started?.stop();
  }
}

/** Resolves links. Throws if the folder has no database. */
export async function findDataFolder(directory: string, product: Product): Promise<string> {
  if (!(await isCluster(path.join(directory, clusterFolder)))) throw missingDatabase(directory, product);
  return realpath(directory);
}

/** The folder must exist and lie outside of the data folder. */
async function requireSuitablePlace(file: string, dataDirectory: string): Promise<void> {
  const folder = await realpath(path.dirname(file)).catch((cause: Error) => {
    throw new Error(`The folder of ${file} cannot be used: ${cause.message}`, { cause });
  });
  if (isWithin(folder, dataDirectory))
    throw new Error(
      `${file} is in the data folder and would be lost together with it. Choose another folder.`,
    );
  const existing = await stat(file).catch(() => undefined);
  if (existing !== undefined && !existing.isFile())
    throw new Error(`${file} already exists and is not a file.`);
}

/** For paths without links. A folder is within itself. */
export function isWithin(folder: string, other: string): boolean {
  return `${folder}${path.sep}`.startsWith(`${other}${path.sep}`);
}

async function addFilesBeside(
  archive: ArchiveWriter,
  dataDirectory: string,
  { files, folders }: BackupContents,
): Promise<void> {
  // Some may be missing, for instance if the service was given its own key or certificate.
  for (const name of [...files, passwordFile]) await archive.addFile(name, path.join(dataDirectory, name));
  for (const folder of folders) {
    const found = await stat(path.join(dataDirectory, folder)).catch(() => undefined);
    if (found === undefined) continue;
    await archive.addFolder(folder, found.mode);
    for (const name of await readdir(path.join(dataDirectory, folder)))
      await archive.addFile(`${folder}/${name}`, path.join(dataDirectory, folder, name));
  }
}

async function addClusterFiles(archive: ArchiveWriter, cluster: string): Promise<void> {
  const { mode } = await stat(cluster);
  await archive.addFolder(clusterFolder, mode);
  for await (const entry of clusterEntries(cluster)) {
    const name = `${clusterFolder}/${entry.name}`;
    if (entry.isFolder) await archive.addFolder(name, entry.mode);
    else await archive.addFile(name, path.join(cluster, entry.name));
  }
  const control = await readControlFile(path.join(cluster, "global", "pg_control"));
  await archive.addBytes(`${clusterFolder}/global/pg_control`, 0o600, control);
}

async function addLog(archive: ArchiveWriter, cluster: string, segments: string[]): Promise<void> {
  const log = path.join(cluster, "pg_wal");
  // Timeline histories exist if this cluster was ever a standby.
  const histories = (await readdir(log)).filter((name) => /^[0-9A-F]{8}\.history$/.test(name));
  for (const name of [...histories, ...segments]) {
    const added = await archive.addFile(`${clusterFolder}/pg_wal/${name}`, path.join(log, name));
    if (!added) throw new Error(`The WAL segment ${name} is missing, so the backup would be incomplete.`);
  }
}

const controlFileAttempts = 100;
const controlFileIntervalMs = 5;

/** The only file that is rewritten in place and not covered by the WAL. Read until it does not change meanwhile. */
async function readControlFile(file: string): Promise<Buffer> {
  let before = await readFile(file);
  for (let attempt = 1; attempt <= controlFileAttempts; attempt += 1) {
    await sleep(controlFileIntervalMs);
    const after = await readFile(file);
    if (after.equals(before)) return after;
    before = after;
  }
  throw new Error(`${file} keeps changing and cannot be copied.`);
}
