import type { Retention } from "@gatehouse-parking/contract";
import type pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { nowMs } from "../../core/clock.js";
import { isLockTimeout } from "../../core/database/sqlstate.js";
import { storedEntities } from "../../core/entities/entities.js";
import { repetitionMs } from "../../core/imports/write/exceptions.js";
import { countChangedDays } from "../../core/local-days/count-days.js";
import { reportDeletions } from "../../core/organizations/deletions.js";
import { keepsKeysInEffect, periodsInEffect } from "../../core/organizations/retention-periods.js";
import { firstIdAt } from "../../core/paging/pages.js";
import { applyPendingRetention } from "./apply-pending.js";
import { deleteSomeExceptions } from "./delete-exceptions.js";
import { deleteSomeLeads } from "./delete-leads.js";
import { deleteSomeRecords } from "./delete-records.js";
import { forgetSomeKeys } from "./forget-keys.js";
import { holdShorterPeriodsEverywhere } from "./hold-shorter-periods.js";
import { measureOrganization } from "./measure.js";
import type { RetentionRules } from "./preview-deletion.js";
import { lowestUuid } from "../../core/uuidv7.js";

const dayMs = 86_400_000;
/** How long one sweep works. There is a sweep a minute. */
const sweepMs = 30_000;
/** An organization with more to delete has the rest deleted when its turn comes again. */
const stepsPerVisit = 60;
/** An older claim is taken over: its instance is gone. */
const claimMinutes = 5;
const measureMinutes = 60;
/** How long an organization rests between two visits. What comes to its end meanwhile goes that much later. */
const restMinutes = 10;

const addNewcomers = `
  insert into organization_upkeep (organization_id)
  select id from organizations as organization
  where not exists (select from organization_upkeep where organization_id = organization.id)
  on conflict do nothing`;

const hasOwn = "(organization.retention ?| array['records', 'exceptions', 'leads'])";

/** The one that waits longest, and only one: another instance takes the next. */
const claim = `
  update organization_upkeep as upkeep set claimed_at = now()
  from (
    select waiting.organization_id, ${periodsInEffect("organization")} as retention,
           ${keepsKeysInEffect("organization")} as keeps_deleted_keys
    from organization_upkeep as waiting
    join organizations as organization on organization.id = waiting.organization_id
    where (waiting.claimed_at is null or waiting.claimed_at < now() - interval '${claimMinutes} minutes')
      and waiting.sweep_at <= now()
      and (${hasOwn} or waiting.unreported_deletions <> '{}' or waiting.measured_at is null
           or waiting.measured_at < now() - interval '${measureMinutes} minutes')
    order by waiting.measured_at is not null, waiting.sweep_at, waiting.organization_id
    limit 1 for update of waiting skip locked
  ) as due
  where upkeep.organization_id = due.organization_id
  returning upkeep.organization_id, due.retention, due.keeps_deleted_keys, upkeep.passed,
            coalesce(upkeep.pass_begun_at < now() - interval '1 day', true) as is_pass_over,
            coalesce(upkeep.measured_at < now() - interval '${measureMinutes} minutes', true) as is_measured_late`;

const giveBack = `
  update organization_upkeep
  set claimed_at = null, sweep_at = now() + make_interval(mins => $2), passed = $3,
      pass_begun_at = case when $4 then now() else pass_begun_at end
  where organization_id = $1`;

/** Whether the days and the switch are still those that the visit began with. */
const areAsBefore = `
  select from organizations
  where id = $1 and ${periodsInEffect("organizations")} is not distinct from $2::jsonb
    and ${keepsKeysInEffect("organizations")} = $3`;

interface Claimed {
  organization_id: string;
  retention: Retention | null;
  keeps_deleted_keys: boolean;
  passed: string;
  is_pass_over: boolean;
  is_measured_late: boolean;
}

/** By table, the last record that was looked at. */
type Passed = Record<string, string>;

interface SweepLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

export interface SweepOptions {
  log: SweepLog;
  rules: RetentionRules;
  /** What time it is. */
  now?: () => number;
}

/**
 * Looks after organizations, one at a time, the one that has waited longest first: deletes what is past its time, in
 * small steps with a rest after each, and counts what is there. Instances share the work: what one has claimed, the
 * others leave alone. What a crash leaves undone is done the next time, because each step is a transaction.
 */
export class RetentionSweep {
  readonly #pool: pg.Pool;
  readonly #log: SweepLog;
  readonly #rules: RetentionRules;
  readonly #now: () => number;

  constructor(pool: pg.Pool, { log, rules, now = nowMs }: SweepOptions) {
    this.#pool = pool;
    this.#log = log;
    this.#rules = rules;
    this.#now = now;
  }

  /** Comes around once a minute. */
  async sweep(): Promise<void> {
    const end = performance.now() + sweepMs;
    await this.#pool.query(addNewcomers);
    await holdShorterPeriodsEverywhere(this.#pool, this.#rules);
    await applyPendingRetention(this.#pool, this.#now());
    while (performance.now() < end) {
      const { rows } = await this.#pool.query<Claimed>(claim);
      if (!rows[0]) return;
      await this.#visit(rows[0]);
    }
  }

  async #visit(claimed: Claimed): Promise<void> {
    const { organization_id: organizationId, is_pass_over: isPassOver } = claimed;
    const passed = isPassOver ? {} : (JSON.parse(claimed.passed) as Passed);
    let againMinutes = restMinutes;
    try {
      if (await this.#deletePast(claimed, passed)) againMinutes = 0;
      else await reportDeletions(this.#pool, organizationId);
      if (claimed.is_measured_late) {
        await measureOrganization(this.#pool, organizationId);
        await countChangedDays(this.#pool, organizationId);
      }
    } catch (error) {
      // Somebody imports, and goes first. Whatever else it is, the others have their turn all the same.
      if (isLockTimeout(error)) againMinutes = 1;
      else this.#log.warn({ organizationId, err: error }, "an organization was not looked after");
    }
    await this.#pool.query(giveBack, [organizationId, againMinutes, JSON.stringify(passed), isPassOver]);
  }

  /** Returns whether there may be more. */
  async #deletePast(claimed: Claimed, passed: Passed): Promise<boolean> {
    const { organization_id: organizationId, retention, keeps_deleted_keys: keepsKeys } = claimed;
    const { records, exceptions, leads } = retention ?? {};
    const turns: Turn[] = [];
    if (leads !== undefined)
      turns.push(() => deleteSomeLeads(this.#pool, organizationId, this.#before(leads)));
    if (exceptions !== undefined) {
      // A younger run may name these as its own.
      const before = this.#before(exceptions, repetitionMs);
      turns.push(() => deleteSomeExceptions(this.#pool, organizationId, before));
    }
    if (!keepsKeys) turns.push(() => forgetSomeKeys(this.#pool, organizationId));
    if (records !== undefined) {
      const deletion = { organizationId, before: this.#before(records), keepsKeys };
      // What refers to others comes last among the entities, and goes first.
      for (const stored of storedEntities.toReversed()) {
        turns.push(async () => {
          const after = passed[stored.table] ?? lowestUuid;
          const step = await deleteSomeRecords(this.#pool, stored, { deletion, after });
          if (step.passed !== undefined) passed[stored.table] = step.passed;
          if (step.deleted > 0)
            this.#log.info(
              { organizationId, table: stored.table, deleted: step.deleted },
              "deleted what is past its time",
            );
          return step.passed !== undefined;
        });
      }
    }
    return this.#takeTurns(claimed, turns);
  }

  /**
   * Repeats each turn while it has more, up to stepsPerVisit steps altogether. Returns whether there may be more. What is
   * saved meanwhile holds from the next step on: the visit ends, and the next one begins with it.
   */
  async #takeTurns(claimed: Claimed, turns: readonly Turn[]): Promise<boolean> {
    let steps = 0;
    for (const turn of turns) {
      for (let hasMore = true; hasMore;) {
        if (steps >= stepsPerVisit || !(await this.#isUnchanged(claimed))) return true;
        steps += 1;
        const begunMs = performance.now();
        hasMore = await turn();
        // Rests as long as the step took, so that at least half of the time is for others.
        if (hasMore) await sleep(performance.now() - begunMs, undefined, { ref: false });
      }
    }
    return false;
  }

  async #isUnchanged({
    organization_id: id,
    retention,
    keeps_deleted_keys: keeps,
  }: Claimed): Promise<boolean> {
    const { rowCount } = await this.#pool.query(areAsBefore, [
      id,
      retention && JSON.stringify(retention),
      keeps,
    ]);
    return rowCount === 1;
  }

  /** The smallest identifier that is not past its time. */
  #before(days: number, laterMs = 0): string {
    return firstIdAt(new Date(this.#now() - days * dayMs - laterMs));
  }
}

type Turn = () => Promise<boolean>;
