import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { readFirstSteps } from "./first-steps.js";
import { readTimeZoneWarnings } from "./time-zone-warnings.js";
import { readKeyUse } from "./usage.js";
import { readLocalDays, readLocalHours } from "./local-days.js";
import { readOutcomes, readTopReasons } from "./outcomes.js";
import { momentOf, nowMs } from "../../core/clock.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";

export async function overviewHandlers(app: FastifyInstance, pool: pg.Pool): Promise<void> {
  defineConsoleOperation(app, "getFirstSteps", ({ organizationId, person }) =>
    readFirstSteps(pool, { organizationId, userId: person.id }),
  );

  defineConsoleOperation(app, "getOutcomes", async ({ organizationId, query }) => {
    const { bucket = "hour" } = query;
    const bounds = bucket === "hour" ? rangeBounds.outcomesByHour : rangeBounds.outcomesByDay;
    return readOutcomes(pool, { organizationId, bucket, ...readRange(query, bounds) });
  });

  defineConsoleOperation(app, "getTopReasons", async ({ organizationId, query }) =>
    readTopReasons(pool, { organizationId, ...readRange(query, rangeBounds.reasons) }),
  );

  defineConsoleOperation(app, "getLocalDays", ({ organizationId, query: { location, ...dates } }) =>
    readLocalDays(pool, { organizationId, locationId: location, ...dates }),
  );

  defineConsoleOperation(app, "getLocalHours", ({ organizationId, query: { location, date } }) =>
    readLocalHours(pool, { organizationId, locationId: location, date }),
  );

  defineConsoleOperation(app, "getKeyUse", async ({ organizationId, query }) =>
    readKeyUse(pool, { organizationId, apiKeyId: query.apiKey, ...readRange(query, rangeBounds.keyUse) }),
  );

  defineConsoleOperation(app, "getClockWarnings", ({ organizationId }) =>
    readTimeZoneWarnings(pool, organizationId),
  );
}

const dayMs = 86_400_000;

interface RangeBounds {
  defaultDays: number;
  maxDays: number;
}

const rangeBounds = {
  outcomesByHour: { defaultDays: 1, maxDays: 31 },
  outcomesByDay: { defaultDays: 1, maxDays: 366 },
  reasons: { defaultDays: 7, maxDays: 92 },
  keyUse: { defaultDays: 1, maxDays: 31 },
} as const satisfies Record<string, RangeBounds>;

/** The range ends now by default. */
function readRange(
  asked: { from?: string; to?: string },
  { defaultDays, maxDays }: RangeBounds,
): { from: Date; to: Date } {
  const to = momentOf(asked.to) ?? new Date(nowMs());
  const from = momentOf(asked.from) ?? new Date(to.getTime() - defaultDays * dayMs);
  if (from >= to) throw invalidInput("from must be before to");
  if (to.getTime() - from.getTime() > maxDays * dayMs)
    throw invalidInput(`The range must not be longer than ${maxDays} days`);
  return { from, to };
}
