import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { lastOfFirstRelease } from "./ledger.js";
import { OperatorError } from "../../operator-error.js";

/** Numbered SQL files, forward only. A file that was applied anywhere must never change again. */
export interface Migration {
  number: number;
  name: string;
  sql: string;
  checksum: string;
  phase: "expand" | "contract";
  /** Releases before this one cannot work on the database any more; a contract migration names it. */
  minimumRelease: string | undefined;
  /** False for what PostgreSQL does in no transaction, such as an index that is built beside running imports. */
  isTransactional: boolean;
}

/** Numbers that migrations of features have or had: a feature may be missing, a migration of the core may not. */
const numbersOfFeatures: ReadonlySet<number> = new Set([11, 12, 13, 25]);

export async function readMigrations(folders?: readonly URL[]): Promise<Migration[]> {
  const files = await Promise.all((folders ?? (await migrationFolders())).map(filesIn));
  const sorted = files.flat().toSorted((one, other) => one.number - other.number);
  return Promise.all(
    sorted.map(async ({ number, name, folder }, index) => {
      let next = (sorted[index - 1]?.number ?? 0) + 1;
      while (next < number && numbersOfFeatures.has(next)) next += 1;
      if (number !== next) throw new OperatorError(`Migration ${name} is out of sequence`);
      // A checkout on Windows may have other line ends; it is the same migration.
      const sql = (await readFile(new URL(name, folder), "utf8")).replaceAll("\r\n", "\n");
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { number, name, sql, checksum, ...readHeader(number, name, sql) };
    }),
  );
}

const packageFolder = new URL("../../../../", import.meta.url);

/** Those of the core, and of each feature whose folder has some. */
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

/** Comments of the file say what kind it is. Those of the first release are older than that rule. */
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
