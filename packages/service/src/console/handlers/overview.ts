import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { nowMs } from "../../clock.js";
import { defineRoute } from "../access.js";
import { readQuery, type Query } from "../query.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import { readClockWarnings } from "../../overview/clock-warnings.js";
import { readKeyUse, readLimitUse } from "../../overview/limit-use.js";
import { readLocalDays, readLocalHours } from "../../overview/local-business.js";
import { readOutcomes } from "../../overview/outcomes.js";
import { readTopReasons } from "../../overview/top-reasons.js";

const dayMs = 86_400_000;
const maxDays = { hour: 31, day: 366, reasons: 92, keyUse: 31 };

export interface OverviewParts {
  pool: pg.Pool;
  limits: Record<OperationName, RateLimit>;
}

export async function overviewRoutes(app: FastifyInstance, { pool, limits }: OverviewParts): Promise<void> {
  defineRoute(app, "getOutcomes", async (request) => {
    const query = readQuery(request);
    const bucket = query.oneOf("bucket", ["hour", "day"]) ?? "hour";
    const range = readRange(query, { defaultDays: 1, maxDays: maxDays[bucket] });
    return readOutcomes(pool, { organizationId: request.organization.id, bucket, ...range });
  });

  defineRoute(app, "getTopReasons", async (request) => {
    const range = readRange(readQuery(request), { defaultDays: 7, maxDays: maxDays.reasons });
    return readTopReasons(pool, { organizationId: request.organization.id, ...range });
  });

  defineRoute(app, "getLocalDays", async (request) => {
    const query = readQuery(request);
    return readLocalDays(pool, {
      organizationId: request.organization.id,
      locationId: query.uuid("location"),
      fromDate: query.localDate("fromDate"),
      toDate: query.localDate("toDate"),
    });
  });

  defineRoute(app, "getLocalHours", async (request) => {
    const query = readQuery(request);
    const locationId = query.uuid("location") ?? refuseRange("location is required");
    const date = query.localDate("date") ?? refuseRange("date is required");
    return readLocalHours(pool, { organizationId: request.organization.id, date, locationId });
  });

  defineRoute(app, "getLimitUse", async (request) => readLimitUse(pool, request.organization.id, limits));

  defineRoute(app, "getKeyUse", async (request) => {
    const range = readRange(readQuery(request), { defaultDays: 1, maxDays: maxDays.keyUse });
    return readKeyUse(pool, { organizationId: request.organization.id, ...range });
  });

  defineRoute(app, "getClockWarnings", async (request) => readClockWarnings(pool, request.organization.id));
}

function readRange(query: Query, bounds: { defaultDays: number; maxDays: number }): { from: Date; to: Date } {
  const to = query.timestamp("to") ?? new Date(nowMs());
  const from = query.timestamp("from") ?? new Date(to.getTime() - bounds.defaultDays * dayMs);
  if (from >= to) refuseRange("from must lie before to");
  if (to.getTime() - from.getTime() > bounds.maxDays * dayMs)
    refuseRange(`The range must not be longer than ${bounds.maxDays} days`);
  return { from, to };
}

function refuseRange(problem: string): never {
  throw new ConsoleRefused("invalid", [problem]);
}
