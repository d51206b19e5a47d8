import type pg from "pg";
import { OperatorError } from "../../operator-error.js";

/** The oldest tested version. */
const oldestMajor = 15;

export interface ServerFacts {
  /** In the format of server_version_num: 150004 is 15.4. */
  version: number;
  encoding: string;
}

/** Checks at the start what would otherwise fail later in a statement or as text that cannot be stored. */
export async function requireFittingServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<ServerFacts>(
    `select current_setting('server_version_num')::int as version, pg_encoding_to_char(encoding) as encoding
     from pg_database where datname = current_database()`,
  );
  const refusal = serverRefusal(rows[0] as ServerFacts);
  if (refusal !== undefined) throw new OperatorError(refusal);
}

export function serverRefusal({ version, encoding }: ServerFacts): string | undefined {
  const major = Math.floor(version / 10_000);
  if (major < oldestMajor)
    return `The database server is PostgreSQL ${major}, and Gatehouse needs ${oldestMajor} or later. Upgrade it, or set DATABASE_URL to another server.`;
  if (encoding !== "UTF8")
    return `The database has the encoding ${encoding}, which cannot store every text. Create a database with UTF8: create database gatehouse encoding 'UTF8' template template0;`;
  return undefined;
}
