import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { lastOfFirstRelease } from "./ledger.js";
import { SchemaError } from "./schema-error.js";

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

export const migrationsFolder = new URL("../../../../migrations/", import.meta.url);

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(name.slice(0, 4));
      if (number !== index + 1) throw new SchemaError(`Migration ${name} is out of sequence`);
      // A checkout on Windows may have other line ends; it is the same migration.
      const sql = (await readFile(new URL(name, folder), "utf8")).replaceAll("\r\n", "\n");
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { number, name, sql, checksum, ...readHeader(number, name, sql) };
    }),
  );
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
    throw new SchemaError(
      `Migration ${name} does not say its phase. Begin it with "-- phase: expand" or "-- phase: contract; minimum release 1.2.3".`,
    );
  return {
    phase: phase?.[2] === undefined ? "expand" : "contract",
    minimumRelease: phase?.[2],
    isTransactional: !outsideLine.test(sql),
  };
}
