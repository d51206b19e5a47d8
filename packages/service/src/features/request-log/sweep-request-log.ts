import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { transaction } from "../../core/database/transaction.js";
import { recordDeletion, periodsInEffect } from "../../core/organizations/retention.js";
import { firstIdAt } from "../../core/paging/pages.js";
import { lowestUuid } from "../../core/uuidv7.js";

/** The retention period of the log, and its limit per organization. */
export interface RequestLogBounds {
  days: number;
  rows: number;
}

const dayMs = 86_400_000;
/** How many organizations one sweep visits. There is a sweep a minute. */
const organizationsPerSweep = 200;
const maxRowsPerSweep = 50_000;
const rowsPerStatement = 2_000;

/** Uses the organization's own period if it is shorter. */
const nextOrganization = `
  select next.organization_id, (
    select (${periodsInEffect("organizations")} ->> 'requestLog')::int from organizations where id = next.organization_id
  ) as own_days
  from (
    select organization_id from request_log where organization_id > $1 order by organization_id limit 1
  ) as next`;

interface Next {
  organization_id: string;
  own_days: number | null;
}

/**
 * Deletes requests with an id below $2, and those that have $3 newer ones. It does not wait for another
 * instance's sweep. The rows are chosen once, as an array: a planner that expects one row would run the
 * subquery for each row and delete everything within a minute.
 */
const deleteSome = `
  delete from request_log where organization_id = $1 and id = any (array(
    select id from request_log
    where organization_id = $1 and id < greatest($2::uuid, (
      select id from request_log where organization_id = $1 order by id desc offset $3 - 1 limit 1
    ))
    order by id limit ${rowsPerStatement} for update skip locked
  ))`;

/** Visits the organizations in rotation and deletes in small steps, so that the load stays low. */
export class RequestLogSweep {
  readonly #pool: pg.Pool;
  readonly #bounds: RequestLogBounds;
  readonly #rowsPerSweep: number;
  /** The last organization that was visited. */
  #after = lowestUuid;

  constructor(pool: pg.Pool, bounds: RequestLogBounds, rowsPerSweep = maxRowsPerSweep) {
    this.#pool = pool;
    this.#bounds = bounds;
    this.#rowsPerSweep = rowsPerSweep;
  }

  async sweep(): Promise<void> {
    let deleted = 0;
    for (let visited = 0; visited < organizationsPerSweep && deleted < this.#rowsPerSweep; visited += 1) {
      const next = await this.#next();
      if (next === undefined) return;
      const { organization_id: organizationId } = next;
      // Even if rows are left: an organization with a large backlog must not delay the others.
      this.#after = organizationId;
      let count: number;
      do {
        count = await this.#deleteSome(organizationId, next.own_days);
        deleted += count;
      } while (count === rowsPerStatement && deleted < this.#rowsPerSweep);
    }
  }

  async #next(): Promise<Next | undefined> {
    const { rows } = await this.#pool.query<Next>(nextOrganization, [this.#after]);
    if (!rows[0]) this.#after = lowestUuid;
    return rows[0];
  }

  async #deleteSome(organizationId: string, ownDays: number | null): Promise<number> {
    const { rows } = this.#bounds;
    const days = Math.min(this.#bounds.days, ownDays ?? this.#bounds.days);
    const before = firstIdAt(new Date(nowMs() - days * dayMs));
    return transaction(this.#pool, async (client) => {
      const { rowCount } = await client.query(deleteSome, [organizationId, before, rows]);
      const count = rowCount ?? 0;
      // The audit log mentions deletions by an organization's own period, but not the usual expiry.
      if (ownDays !== null) await recordDeletion(client, organizationId, "requestLog", { count, bytes: 0 });
      return count;
    });
  }
}
