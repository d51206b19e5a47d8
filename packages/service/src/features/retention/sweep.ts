import type { KeptKind, Retention } from "@gatehouse-parking/contract";
import type pg from "pg";
import { setTimeout as sleep } from "node:timers/promises";
import { nowMs } from "../../core/clock.js";
import { isLockTimeout } from "../../core/database/sqlstate.js";
import { countChangedDays } from "../../core/local-days/count-days.js";
import { reportDeletions, keepsKeysInEffect, periodsInEffect } from "../../core/organizations/retention.js";
import { firstIdAt } from "../../core/paging/pages.js";
import { dataKinds, type RetentionConfig } from "./data-kinds.js";
import type { StepResult } from "./delete-records.js";
import { applyPendingPeriods, deferUnconfirmedPeriods } from "./pending-periods.js";
import { measureStorage } from "./storage.js";

const dayMs = 86_400_000;
/** How long one sweep works. A sweep starts every minute. */
const sweepMs = 30_000;
/** An organization with more to delete continues at its next visit. */
const stepsPerVisit = 60;
/** An older claim is taken over, because its instance has stopped. */
const claimMinutes = 5;
const measureMinutes = 60;
/** The time between two visits of an organization. */
const visitMinutes = 10;

const addOrganizations = `
  insert into organization_upkeep (organization_id)
  select id from organizations as organization
  where not exists (select from organization_upkeep where organization_id = organization.id)
  on conflict do nothing`;

const hasPeriods = "(organization.retention ?| array['records', 'exceptions', 'leads'])";

/** Only the organization that has waited longest, so that other instances can claim the next ones. */
const claim = `
  update organization_upkeep as upkeep set claimed_at = now()
  from (
    select waiting.organization_id, ${periodsInEffect("organization")} as retention,
           ${keepsKeysInEffect("organization")} as keeps_deleted_keys
    from organization_upkeep as waiting
    join organizations as organization on organization.id = waiting.organization_id
    where (waiting.claimed_at is null or waiting.claimed_at < now() - interval '${claimMinutes} minutes')
      and waiting.sweep_at <= now()
      and (${hasPeriods} or waiting.unreported_deletions <> '{}' or waiting.measured_at is null
           or waiting.measured_at < now() - interval '${measureMinutes} minutes')
    order by waiting.measured_at is not null, waiting.sweep_at, waiting.organization_id
    limit 1 for update of waiting skip locked
  ) as due
  where upkeep.organization_id = due.organization_id
  returning upkeep.organization_id as "organizationId", due.retention, due.keeps_deleted_keys as "keepsKeys",
            upkeep.passed as cursors,
            coalesce(upkeep.pass_begun_at < now() - interval '1 day', true) as "startsOver",
            coalesce(upkeep.measured_at < now() - interval '${measureMinutes} minutes', true) as "isMeasureDue"`;

const release = `
  update organization_upkeep
  set claimed_at = null, sweep_at = now() + make_interval(mins => $2), passed = $3,
      pass_begun_at = case when $4 then now() else pass_begun_at end
  where organization_id = $1`;

const findUnchangedPeriods = `
  select from organizations
  where id = $1 and ${periodsInEffect("organizations")} is not distinct from $2::jsonb
    and ${keepsKeysInEffect("organizations")} = $3`;

interface Claim {
  organizationId: string;
  retention: Retention | null;
  keepsKeys: boolean;
  /** JSON: for each table of records, the last identifier that was checked. */
  cursors: string;
  /** Whether all records are checked again from the first one. */
  startsOver: boolean;
  isMeasureDue: boolean;
}

type Cursors = Record<string, string>;

interface SweepLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

export interface SweepOptions {
  log: SweepLog;
  config: RetentionConfig;
  now?: () => number;
}

/**
 * Visits one organization after the other: deletes expired data in small steps, with a pause after each, and measures what is
 * stored. Instances share the work by claims. Each step is one transaction, so after a crash the next visit continues.
 */
export class RetentionSweep {
  readonly #pool: pg.Pool;
  readonly #log: SweepLog;
  readonly #config: RetentionConfig;
  readonly #now: () => number;

  constructor(pool: pg.Pool, { log, config, now = nowMs }: SweepOptions) {
    this.#pool = pool;
    this.#log = log;
    this.#config = config;
    this.#now = now;
  }

  async sweep(): Promise<void> {
    const end = performance.now() + sweepMs;
    await this.#pool.query(addOrganizations);
    await deferUnconfirmedPeriods(this.#pool, this.#config);
    await applyPendingPeriods(this.#pool, this.#now());
    while (performance.now() < end) {
      const { rows } = await this.#pool.query<Claim>(claim);
      if (!rows[0]) return;
      await this.#visit(rows[0]);
    }
  }

  async #visit(claimed: Claim): Promise<void> {
    const { organizationId, startsOver, isMeasureDue } = claimed;
    const cursors: Cursors = startsOver ? {} : (JSON.parse(claimed.cursors) as Cursors);
    let nextVisitMinutes = visitMinutes;
    try {
      if (await this.#deleteExpired(claimed, cursors)) nextVisitMinutes = 0;
      else await reportDeletions(this.#pool, organizationId);
      if (isMeasureDue) {
        await measureStorage(this.#pool, organizationId);
        await countChangedDays(this.#pool, organizationId);
      }
    } catch (error) {
      // An import holds the lock and goes first. Any other failure must not keep the sweep from the next organization.
      if (isLockTimeout(error)) nextVisitMinutes = 1;
      else this.#log.warn({ organizationId, err: error }, "retention sweep failed for an organization");
    }
    await this.#pool.query(release, [organizationId, nextVisitMinutes, JSON.stringify(cursors), startsOver]);
  }

  /**
   * Returns whether there may be more to delete. A change of the periods ends the visit, and the next one begins with the new
   * periods.
   */
  async #deleteExpired(claimed: Claim, cursors: Cursors): Promise<boolean> {
    let steps = 0;
    for (const { table, run } of this.#deletionsOf(claimed, cursors)) {
      for (let hasMore = true; hasMore;) {
        if (steps >= stepsPerVisit || !(await this.#areUnchanged(claimed))) return true;
        steps += 1;
        const startMs = performance.now();
        const result = await run();
        if (result.deleted > 0) {
          const { organizationId } = claimed;
          this.#log.info({ organizationId, table, deleted: result.deleted }, "deleted expired rows");
        }
        ({ hasMore } = result);
        // Pauses for as long as the step took, so that at least half of the time is left for other work.
        if (hasMore) await sleep(performance.now() - startMs, undefined, { ref: false });
      }
    }
    return false;
  }

  #deletionsOf(
    { organizationId, retention, keepsKeys }: Claim,
    cursors: Cursors,
  ): { table: string; run: () => Promise<StepResult> }[] {
    return Object.entries(dataKinds).flatMap(([what, { deletions = [], extraMs = 0 }]) => {
      const days = what === "deletedKeys" ? (keepsKeys ? undefined : 0) : retention?.[what as KeptKind];
      if (days === undefined) return [];
      const before = firstIdAt(new Date(this.#now() - days * dayMs - extraMs));
      const deletion = { organizationId, before, keepsKeys, cursors };
      return deletions.map(({ table, run }) => ({ table, run: () => run(this.#pool, deletion) }));
    });
  }

  async #areUnchanged({ organizationId, retention, keepsKeys }: Claim): Promise<boolean> {
    const { rowCount } = await this.#pool.query(findUnchangedPeriods, [
      organizationId,
      retention && JSON.stringify(retention),
      keepsKeys,
    ]);
    return rowCount === 1;
  }
}
