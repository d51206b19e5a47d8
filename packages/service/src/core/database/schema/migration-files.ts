import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { lastOfFirstRelease } from "./ledger.js";
import { OperatorError } from "../../operator-error.js";

/** Numbered SQL files, forward only. A file must never change after it was applied anywhere. */
export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
  phase: "expand" | "contract";
  /** The minimum release that can work on the database. A contract migration names it. */
  minimumRelease: string | undefined;
  /** False for statements that cannot run in a transaction, such as building an index concurrently. */
  isTransactional: boolean;
}

/** Numbers that features' migrations have or had. A missing feature is allowed; a missing core migration is not. */
const numbersOfFeatures: ReadonlySet<number> = new Set([11, 12, 13, 25]);

export async function readMigrations(folders?: readonly URL[]): Promise<Migration[]> {
  const files = await Promise.all((folders ?? (await migrationFolders())).map(filesIn));
  const sorted = files.flat().toSorted((one, other) => one.number - other.number);
  return Promise.all(
    sorted.map(async ({ number, name, folder }, index) => {
      let next = (sorted[index - 1]?.number ?? 0) + 1;
      while (next < number && numbersOfFeatures.has(next)) next += 1;
      if (number !== next) throw new OperatorError(`Migration ${name} is out of sequence`);
      // A checkout on Windows may have other line endings; it is the same migration.
      const sql = (await readFile(new URL(name, folder), "utf8")).replaceAll("\r\n", "\n");
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { number, name, sql, checksum, ...readHeader(number, name, sql) };
    }),
  );
}

const packageFolder = new URL("../../../../", import.meta.url);

/** Migrations of the core and of each feature that has some. */
export async function migrationFolders(): Promise<URL[]> {
  const features = new URL("src/features/", packageFolder);
  const found = await readdir(features).catch(() => []);
  const folders = found.toSorted().map((name) => new URL(`${name}/migrations/`, features));
  return [new URL("migrations/", packageFolder), ...folders.filter((folder) => existsSync(folder))];
}

async function filesIn(folder: URL): Promise<{ number: number; name: string; folder: URL }[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql"));
  return names.map((name) => ({ number: Number(name.slice(0, 4)), name, folder }));
}

const phaseLine = /^-- phase: (?:(expand)|contract; minimum release (\d+\.\d+\.\d+))$/m;
const outsideLine = /^-- transaction: none$/m;

/** Comments in the file declare its phase. Files of the first release are older than that rule. */
export function readHeader(
  number: number,
  name: string,
  sql: string,
): Pick<Migration, "phase" | "minimumRelease" | "isTransactional"> {
  const phase = phaseLine.exec(sql);
  if (!phase && number > lastOfFirstRelease)
    throw new OperatorError(
      `Migration ${name} does not say its phase. Begin it with "-- phase: expand" or "-- phase: contract; minimum release 1.2.3".`,
    );
  return {
    phase: phase?.[2] === undefined ? "expand" : "contract",
    minimumRelease: phase?.[2],
    isTransactional: !outsideLine.test(sql),
  };
}
