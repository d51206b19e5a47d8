import type pg from "pg";
import type { SentValue } from "../write/write-sent-values.js";

/** What failed records of a run had in their wrong fields, by position; as far as it is kept. */
export async function readSentValues(
  pool: pg.Pool,
  organizationId: string,
  runId: string,
): Promise<Map<number, SentValue[]>> {
  const { rows } = await pool.query<{ position: number; sent: string }>(
    "select position, sent from import_sent_values where organization_id = $1 and run_id = $2",
    [organizationId, runId],
  );
  return new Map(rows.map(({ position, sent }) => [position, JSON.parse(sent) as SentValue[]]));
}
