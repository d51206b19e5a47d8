import { setTimeout as sleep } from "node:timers/promises";
import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type pg from "pg";
import { attentionOf, readOrganizationHealth, type Look } from "./organization-health.js";

/** Figures older than this are read again. */
export const freshSeconds = 60;
/** A claim older than this is taken over, because its instance is gone. */
const claimSeconds = 60;
const organizationsPerClaim = 25;
const newcomersPerSweep = 5_000;
/** The part of each minute that a sweep may use. The next sweep starts with the remaining organizations. */
const sweepMs = 10_000;
/** The longest time that a page load waits for a refresh. */
const viewMs = 400;
const overtimeMs = 600;

const addNewcomers = `
  insert into organization_health (organization_id)
  select id from organizations as organization
  where not exists (select from organization_health as health where health.organization_id = organization.id)
  limit ${newcomersPerSweep}
  on conflict do nothing`;

/**
 * Claims the organizations whose last attempt is oldest, even if that attempt failed, so that a failing
 * organization does not always come first. Instances share the work and skip organizations that another one
 * has claimed.
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

/** Keeps the health figures of all organizations up to date, a few organizations at a time. */
export class HealthRefresh {
  readonly #pool: pg.Pool;
  readonly #limits: Record<OperationName, RateLimit>;
  /** The shared refresh of all concurrent page loads. */
  #forView: Promise<unknown> | undefined;

  constructor(pool: pg.Pool, limits: Record<OperationName, RateLimit>) {
    this.#pool = pool;
    this.#limits = limits;
  }

  /** Called once a minute. */
  async sweep(): Promise<void> {
    const [failure] = await this.#refresh(sweepMs);
    if (failure !== undefined) throw failure;
  }

  /**
   * Refreshes before a page is shown. With few organizations all figures are current. If an organization
   * fails or takes too long, its figures stay and show their age.
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

  /** Returns the errors. A slow organization does not delay the others. */
  async #refresh(maxMs: number): Promise<unknown[]> {
    const failures: unknown[] = [];
    const end = performance.now() + maxMs;
    await this.#pool.query(addNewcomers);
    while (performance.now() < end) {
      const { rows } = await this.#pool.query<{ organization_id: string }>(claim);
      if (rows.length === 0) break;
      // Process all claimed organizations, even after the deadline: other instances would skip them for a
      // minute.
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
