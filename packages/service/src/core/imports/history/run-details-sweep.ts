import type pg from "pg";
import { nowMs } from "../../clock.js";
import { transaction } from "../../database/transaction.js";
import { lowestUuid } from "../../uuidv7.js";
import { recordDeletion, periodsInEffect } from "../../organizations/retention.js";

const dayMs = 86_400_000;
/** How many organizations one sweep visits. There is a sweep every minute. */
const organizationsPerSweep = 200;
const statementsPerSweep = 500;
/** If an organization has more to delete, the next round deletes it. */
const statementsPerOrganization = 50;
const rowsPerStatement = 1_000;

/** A table with details of runs, which are deleted after a number of days. */
export interface RunDetails {
  table: string;
  /** The columns of its primary key after the organization. */
  key: readonly string[];
  /** The column of the key that tells the age of a row, and its lowest value that is not older than a moment. */
  age: string;
  lowestAt: (moment: Date) => string;
  /** An organization can choose a shorter period. */
  days: number;
}

/** Deletes old details of runs, some organizations at a time, in small steps. */
export class RunDetailsSweep {
  readonly #pool: pg.Pool;
  readonly #details: RunDetails;
  readonly #statement: string;
  #lastOrganization = lowestUuid;

  constructor(pool: pg.Pool, details: RunDetails) {
    this.#pool = pool;
    this.#details = details;
    this.#statement = deletion(details);
  }

  async sweep(): Promise<void> {
    const { rows } = await this.#pool.query<{ id: string; chosen_days: number | null }>(
      `select id, (${periodsInEffect("organizations")} ->> 'runDetails')::int as chosen_days
       from organizations where id > $1 order by id limit ${organizationsPerSweep}`,
      [this.#lastOrganization],
    );
    let statements = 0;
    for (const { id, chosen_days: chosenDays } of rows) {
      for (let step = 1; step <= statementsPerOrganization; step += 1) {
        // The next sweep continues with this organization.
        if (statements >= statementsPerSweep) return;
        statements += 1;
        if ((await this.#deleteSome(id, chosenDays)) !== rowsPerStatement) break;
      }
      this.#lastOrganization = id;
    }
    if (rows.length < organizationsPerSweep) this.#lastOrganization = lowestUuid;
  }

  async #deleteSome(organizationId: string, chosenDays: number | null): Promise<number> {
    const { days, lowestAt } = this.#details;
    const before = lowestAt(new Date(nowMs() - Math.min(days, chosenDays ?? days) * dayMs));
    return transaction(this.#pool, async (client) => {
      const { rowCount } = await client.query(this.#statement, [organizationId, before]);
      const count = rowCount ?? 0;
      // The audit log mentions what a period of the organization deletes, not the usual expiry. The next count of storage
      // subtracts the few bytes, so that imports never wait for this sweep.
      if (chosenDays !== null)
        await recordDeletion(client, organizationId, "runDetails", { count, bytes: 0 });
      return count;
    });
  }
}

/** Materialized, because a planner that expects one row would select the rows again for each row that it deletes. */
function deletion({ table, key, age }: RunDetails): string {
  const columns = (alias: string) => key.map((column) => `${alias}.${column}`).join(", ");
  return `
    with past as materialized (
      select organization_id, ${key.join(", ")} from ${table} where organization_id = $1 and ${age} < $2
      order by ${key.join(", ")} limit ${rowsPerStatement} for update skip locked
    )
    delete from ${table} as stored using past
    where stored.organization_id = $1 and past.organization_id = $1 and (${columns("stored")}) = (${columns("past")})`;
}
