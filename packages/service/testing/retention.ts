import { setTimeout } from "node:timers/promises";
import { expect } from "vitest";
import { nowMs } from "../src/core/clock.js";
import { configureOrganization } from "../src/core/organizations/configure-organization.js";
import { storedEntities } from "../src/core/entities/entities.js";
import { firstIdAt } from "../src/core/paging/pages.js";
import { deleteRecords } from "../src/features/retention/delete-records.js";
import type { RetentionSettingsChanges } from "../src/features/retention/settings.js";
import { RetentionSweep } from "../src/features/retention/sweep.js";
import { verifyStoredData } from "./verify.js";
import type { Tenant, TestApp } from "./harness.js";

const dayMs = 86_400_000;

export async function configure(
  gatehouse: TestApp,
  { organizationId }: Pick<Tenant, "organizationId">,
  changes: Omit<RetentionSettingsChanges, "organizationId" | "actor">,
): Promise<void> {
  const noKey = async (): Promise<never> => {
    throw new Error("nothing is sealed here");
  };
  await configureOrganization(gatehouse.database.work, noKey, { ...changes, organizationId, actor: "test" });
}

/** A time after everything stored before, and before everything stored later. */
export async function between(): Promise<number> {
  const moment = nowMs() + 1;
  while (nowMs() <= moment) await setTimeout(1);
  return moment;
}

/** Runs the retention sweep as if everything stored before `moment` were `days` old. */
export async function sweepAt(gatehouse: TestApp, moment: number, days = 1): Promise<void> {
  const { console: pool } = gatehouse.database;
  await pool.query("update organization_upkeep set sweep_at = now(), pass_begun_at = null");
  const { config, app } = gatehouse;
  const now = () => moment + days * dayMs;
  await new RetentionSweep(pool, { log: app.log, config, now }).sweep();
}

/** Deletes unreferenced records stored before the moment, as a sweep does, and returns how many. */
export async function deleteBefore(
  gatehouse: TestApp,
  { organizationId }: Pick<Tenant, "organizationId">,
  { moment, keepsKeys }: { moment: number; keepsKeys: boolean },
): Promise<number> {
  const deletion = { organizationId, before: firstIdAt(new Date(moment)), keepsKeys, cursors: {} };
  let deleted = 0;
  for (const stored of storedEntities.toReversed())
    deleted += (await deleteRecords(gatehouse.database.work, stored, deletion)).deleted;
  return deleted;
}

/** Expects that `gatehouse verify` finds no problems. */
export async function expectSound(
  gatehouse: TestApp,
  { organizationId }: Pick<Tenant, "organizationId">,
): Promise<void> {
  const { checks } = await verifyStoredData(gatehouse.connectionString, { organizationId });
  expect(checks.filter(({ violations }) => violations > 0)).toEqual([]);
}
