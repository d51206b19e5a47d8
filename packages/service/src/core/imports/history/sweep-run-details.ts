import type pg from "pg";
import { nowMs } from "../../clock.js";
import { transaction } from "../../database/transaction.js";
import { noteDeletion } from "../../organizations/deletions.js";
import { periodsInEffect } from "../../organizations/retention-periods.js";
import { firstIdAt } from "../../paging/pages.js";
import { lowestUuid } from "../../uuidv7.js";

const dayMs = 86_400_000;
/** How many organizations one sweep visits. There is a sweep a minute. */
const organizationsPerSweep = 200;
const statementsPerSweep = 500;
/** An organization with more to delete has the rest deleted when its turn comes again. */
const statementsPerDeletion = 50;
const rowsPerStatement = 1_000;
/** Longer than overview/clock-warnings.ts looks back. */
export const clockSignsDays = 31;

/**
 * One organization at a time, because each lies on one shard. A run's id tells its time. Materialized, because a
 * planner that expects one row would choose the rows anew for each row that it deletes.
 */
const deleteSentValues = `
  with past as materialized (
    select organization_id, run_id, position from import_sent_values where organization_id = $1 and run_id < $2
    order by run_id, position limit ${rowsPerStatement} for update skip locked
  )
  delete from import_sent_values as stored using past
  where stored.organization_id = $1 and past.organization_id = $1
    and (stored.run_id, stored.position) = (past.run_id, past.position)`;
const deleteClockSigns = `
  with past as materialized (
    select organization_id, api_key_id, location_id, day from clock_signs where organization_id = $1 and day < $2
    order by api_key_id, location_id, day limit ${rowsPerStatement} for update skip locked
  )
  delete from clock_signs as stored using past
  where stored.organization_id = $1 and past.organization_id = $1
    and (stored.api_key_id, stored.location_id, stored.day) = (past.api_key_id, past.location_id, past.day)`;

/** Deletes what runs keep only for a while, some organizations at a time and in small steps. */
export class RunDetailsSweep {
  readonly #pool: pg.Pool;
  readonly #sentValuesDays: number;
  /** The last organization that is done. */
  #after = lowestUuid;

  constructor(pool: pg.Pool, sentValuesDays: number) {
    this.#pool = pool;
    this.#sentValuesDays = sentValuesDays;
  }

  async sweep(): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string; own_days: number | null }>(
      `select id, (${periodsInEffect("organizations")} ->> 'runDetails')::int as own_days
       from organizations where id > $1 order by id limit ${organizationsPerSweep}`,
      [this.#after],
    );
    const ago = (days: number) => new Date(nowMs() - days * dayMs);
    let statements = 0;
    for (const { id, own_days: ownDays } of rows) {
      // Days of its own can only be fewer.
      const sentValuesDays = Math.min(this.#sentValuesDays, ownDays ?? this.#sentValuesDays);
      const deletions = [
        { statement: deleteSentValues, before: firstIdAt(ago(sentValuesDays)) },
        {
          statement: deleteClockSigns,
          before: ago(Math.min(clockSignsDays, ownDays ?? clockSignsDays))
            .toISOString()
            .slice(0, 10),
        },
      ];
      for (const { statement, before } of deletions) {
        for (let step = 1; step <= statementsPerDeletion; step += 1) {
          // The next sweep goes on with this organization.
          if (statements >= statementsPerSweep) return;
          statements += 1;
          const deleted = await this.#delete(statement, id, { before, isOwnPeriod: ownDays !== null });
          if (deleted !== rowsPerStatement) break;
        }
      }
      this.#after = id;
    }
    if (rows.length < organizationsPerSweep) this.#after = lowestUuid;
  }

  /** The audit log mentions what a period of the organization deletes, not the usual expiry. */
  async #delete(
    statement: string,
    organizationId: string,
    { before, isOwnPeriod }: { before: string; isOwnPeriod: boolean },
  ): Promise<number> {
    return transaction(this.#pool, async (client) => {
      const { rowCount } = await client.query(statement, [organizationId, before]);
      const count = rowCount ?? 0;
      // Their few bytes are left to the next count of storage: imports never wait for this sweep.
      if (isOwnPeriod) await noteDeletion(client, organizationId, "runDetails", { count, bytes: 0 });
      return count;
    });
  }
}
