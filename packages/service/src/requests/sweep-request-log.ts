import type pg from "pg";
import { nowMs } from "../clock.js";
import { firstIdAt } from "../paging/time-ordered-ids.js";

/** For how long, and for how many requests of an organization, the log is kept. */
export interface RequestLogBounds {
  days: number;
  rows: number;
}

const dayMs = 86_400_000;
/** Of one sweep, which comes around once a minute. */
const organizationsPerSweep = 200;
const maxRowsPerSweep = 50_000;
const rowsPerStatement = 2_000;
const beforeAll = "00000000-0000-0000-0000-000000000000";

const nextOrganization = `
  select organization_id from request_log where organization_id > $1 order by organization_id limit 1`;

/** $2: what is older by its id goes, and so does what has $3 newer ones. Another instance's sweep is not waited for. */
const deleteSome = `
  delete from request_log where organization_id = $1 and id in (
    select id from request_log
    where organization_id = $1 and id < greatest($2::uuid, (
      select id from request_log where organization_id = $1 order by id desc offset $3 - 1 limit 1
    ))
    order by id limit ${rowsPerStatement} for update skip locked
  )`;

/** Goes around the organizations, some at a time, and deletes in small steps, so that it is felt by nobody. */
export class RequestLogSweep {
  readonly #pool: pg.Pool;
  readonly #bounds: RequestLogBounds;
  readonly #rowsPerSweep: number;
  /** The last organization that had its turn. */
  #after = beforeAll;

  constructor(pool: pg.Pool, bounds: RequestLogBounds, rowsPerSweep = maxRowsPerSweep) {
    this.#pool = pool;
    this.#bounds = bounds;
    this.#rowsPerSweep = rowsPerSweep;
  }

  async sweep(): Promise<void> {
    let deleted = 0;
    for (let visited = 0; visited < organizationsPerSweep && deleted < this.#rowsPerSweep; visited += 1) {
      const organizationId = await this.#next();
      if (organizationId === undefined) return;
      // Even if not all of it goes now: the days of the others do not wait for somebody who is never done.
      this.#after = organizationId;
      let count: number;
      do {
        count = await this.#deleteSome(organizationId);
        deleted += count;
      } while (count === rowsPerStatement && deleted < this.#rowsPerSweep);
    }
  }

  async #next(): Promise<string | undefined> {
    const { rows } = await this.#pool.query<{ organization_id: string }>(nextOrganization, [this.#after]);
    if (!rows[0]) this.#after = beforeAll;
    return rows[0]?.organization_id;
  }

  async #deleteSome(organizationId: string): Promise<number> {
    const { days, rows } = this.#bounds;
    const { rowCount } = await this.#pool.query(deleteSome, [
      organizationId,
      firstIdAt(new Date(nowMs() - days * dayMs)),
      rows,
    ]);
    return rowCount ?? 0;
  }
}
