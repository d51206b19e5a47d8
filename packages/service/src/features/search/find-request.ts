import { isUuid } from "@gatehouse-parking/contract";
import type pg from "pg";
import { firstIdAt, momentOfId } from "../../core/paging/pages.js";

/** A request that takes longer from its first byte to its run was given up long before. */
const longestRequestMs = 3_600_000;
/** A caller's own request id says nothing about the time, so it is looked for among this many of the newest runs. */
const maxLookedThrough = 20_000;
const maxRuns = 10;

export interface FoundRun {
  id: string;
  startedAt: Date;
}

/**
 * The runs that a request with this id has made. Ids that the service gives out tell when, and the primary key finds the
 * runs of that hour.
 */
export async function findRunsOfRequest(
  pool: pg.Pool,
  organizationId: string,
  requestId: string,
): Promise<FoundRun[]> {
  if (!isUuid(requestId)) return findBetween(pool, organizationId, requestId);
  const asMade = requestId.toLowerCase();
  const madeAt = momentOfId(asMade);
  const end = new Date(madeAt.getTime() + longestRequestMs);
  const found = await findBetween(pool, organizationId, asMade, [firstIdAt(madeAt), firstIdAt(end)]);
  return found.length > 0 ? found : findBetween(pool, organizationId, requestId);
}

async function findBetween(
  pool: pg.Pool,
  organizationId: string,
  requestId: string,
  [first, end]: [string, string] | [null, null] = [null, null],
): Promise<FoundRun[]> {
  const { rows } = await pool.query<{ id: string; started_at: Date }>(
    `select id, started_at from (
       select id, started_at, request_id from import_runs
       where organization_id = $1 and ($3::uuid is null or id >= $3) and ($4::uuid is null or id < $4)
       order by id desc limit ${maxLookedThrough}
     ) as run
     where request_id = $2 order by id desc limit ${maxRuns}`,
    [organizationId, requestId, first, end],
  );
  return rows.map((row) => ({ id: row.id, startedAt: row.started_at }));
}
