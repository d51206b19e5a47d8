import { setTimeout as sleep } from "node:timers/promises";
import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { attentionOf, readOrganizationHealth, type Look } from "./organization-health.js";

/** How old figures may be before they are looked up again. */
export const freshSeconds = 60;
/** An older claim is taken over: its instance is gone. */
const claimSeconds = 60;
const organizationsPerClaim = 25;
const newcomersPerSweep = 5_000;
/** How much of its minute a sweep uses. What is left comes first the next time. */
const sweepMs = 10_000;
/** Whoever opens the list waits for no more than this. */
const viewMs = 400;
const overtimeMs = 600;

const addNewcomers = `
  insert into organization_health (organization_id)
  select id from organizations as organization
  where not exists (select from organization_health as health where health.organization_id = organization.id)
  limit ${newcomersPerSweep}
  on conflict do nothing`;

/**
 * Those whose turn was longest ago, whatever came of it: one that cannot be looked at does not come first every time. Instances share the work: what another one has claimed is left to it.
 */
const claim = `
  update organization_health as health set claimed_at = now()
  from (
    select organization_id from organization_health
    where (looked_at is null or looked_at < now() - interval '${freshSeconds} seconds')
      and (claimed_at is null or claimed_at < now() - interval '${claimSeconds} seconds')
    order by greatest(looked_at, claimed_at) nulls first, organization_id
    limit ${organizationsPerClaim} for update skip locked
  ) as due
  where health.organization_id = due.organization_id
  returning health.organization_id`;

const columns = [
  "last_run_id",
  "last_run_at",
  "last_run_status",
  "runs_day",
  "records_day",
  "failed_day",
  "runs_week",
  "records_week",
  "failed_week",
  "clock_warnings",
  "drifted",
  "failing_keys",
  "limits_near",
  "limited_day",
] as const satisfies (keyof Look)[];

const write = `
  update organization_health
  set looked_at = now(), claimed_at = null, attention = $2,
      ${columns.map((column, index) => `${column} = $${index + 3}`).join(", ")}
  where organization_id = $1`;

/** Keeps what operators see of each organization up to date, a few organizations at a time. */
export class HealthRefresh {
  readonly #pool: pg.Pool;
  readonly #limits: Record<OperationName, RateLimit>;
  /** One for all who look at the same time. */
  #forView: Promise<unknown> | undefined;

  constructor(pool: pg.Pool, limits: Record<OperationName, RateLimit>) {
    this.#pool = pool;
    this.#limits = limits;
  }

  /** Comes around once a minute. */
  async sweep(): Promise<void> {
    const [failure] = await this.#refresh(sweepMs);
    if (failure !== undefined) throw failure;
  }

  /**
   * For somebody who looks now: where there are few organizations, they are all as of now. One that cannot be looked at, or
   * takes too long, keeps its figures, which say how old they are.
   */
  async beforeView(): Promise<void> {
    this.#forView ??= this.#refresh(viewMs).finally(() => {
      this.#forView = undefined;
    });
    const inTime = new AbortController();
    try {
      await Promise.race([
        this.#forView,
        sleep(viewMs + overtimeMs, undefined, { signal: inTime.signal, ref: false }),
      ]);
    } finally {
      inTime.abort();
    }
  }

  /** Returns what went wrong. One organization that takes too long does not keep the others from their turn. */
  async #refresh(maxMs: number): Promise<unknown[]> {
    const failures: unknown[] = [];
    const end = performance.now() + maxMs;
    await this.#pool.query(addNewcomers);
    while (performance.now() < end) {
      const { rows } = await this.#pool.query<{ organization_id: string }>(claim);
      if (rows.length === 0) break;
      // All that are claimed, even if it takes a little longer: nobody else would look at them for a minute.
      for (const { organization_id: organizationId } of rows) {
        if (performance.now() > end + overtimeMs) break;
        await this.#lookAt(organizationId).catch((error: unknown) => failures.push(error));
      }
    }
    return failures;
  }

  async #lookAt(organizationId: string): Promise<void> {
    const look = await readOrganizationHealth(this.#pool, organizationId, this.#limits);
    const values = columns.map((column) =>
      Array.isArray(look[column]) ? JSON.stringify(look[column]) : look[column],
    );
    await this.#pool.query(write, [organizationId, attentionOf(look), ...values]);
  }
}
