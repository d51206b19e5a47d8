import type pg from "pg";

/** Beyond it, a client waits longer for what a lost connection left behind than most are willing to. */
const longestSeconds = 2;

/**
 * Citus commits every COPY in two phases. If the first node loses a worker between them, the import is answered and its
 * run cannot be read, and the organization's next import waits, until Citus looks for what is left: at this interval,
 * a minute unless it is set. Undefined if it is short enough, or if there is no Citus.
 */
export async function slowRecovery(client: pg.ClientBase | pg.Pool): Promise<string | undefined> {
  const { rows } = await client.query<{ seconds: number | null }>(
    `select extract(epoch from current_setting('citus.recover_2pc_interval', true)::interval)::float8 as seconds`,
  );
  const seconds = rows[0]?.seconds ?? 0;
  // -1: never.
  if (seconds >= 0 && seconds <= longestSeconds) return undefined;
  return "A connection that breaks while an import commits holds its organization up until Citus recovers it, which it does rarely as it is set. Run on the first node: alter system set citus.recover_2pc_interval = '2s'; select pg_reload_conf();";
}
