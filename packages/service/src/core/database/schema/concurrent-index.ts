import type pg from "pg";
import { OperatorError } from "../../operator-error.js";

/** `create [unique] index concurrently if not exists NAME`, after comments, in these words with single spaces. */
const creation = / concurrently if not exists (\w+)\s/i;

/**
 * If the builder of an index dies, the index stays behind as invalid: every write maintains it, no query uses it, and
 * "if not exists" would take it for complete. It is dropped, unless the server is still building it because it has not
 * noticed that the client is gone.
 */
export async function prepareIndex(client: pg.Client, statement: string): Promise<void> {
  const [, name] = creation.exec(statement) ?? [];
  if (name === undefined) return;
  const { rows } = await client.query<{ builder: number | null }>(
    `select (select pid from pg_stat_progress_create_index where index_relid = indexrelid limit 1) as builder
     from pg_index where indexrelid = to_regclass($1) and not indisvalid`,
    [name],
  );
  const [invalid] = rows;
  if (!invalid) return;
  if (invalid.builder !== null)
    throw new OperatorError(
      `the index ${name} is still being built by an earlier attempt (process ${invalid.builder})`,
      { retry: "later" },
    );
  await client.query(`drop index concurrently if exists ${name}`);
}
