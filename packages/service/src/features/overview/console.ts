import type { OperationName, RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { askedRange, rangeBounds } from "./local-day.js";
import { readClockWarnings } from "./clock-warnings.js";
import { readKeyUse, readLimitUse } from "./limit-use.js";
import { readLocalDays, readLocalHours } from "./local-business.js";
import { readOutcomes, readTopReasons } from "./outcomes.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";

export interface OverviewParts {
  pool: pg.Pool;
  limits: Record<OperationName, RateLimit>;
}

export async function overviewHandlers(app: FastifyInstance, { pool, limits }: OverviewParts): Promise<void> {
  defineConsoleOperation(app, "getOutcomes", async ({ organizationId, query }) => {
    const { bucket = "hour" } = query;
    const bounds = bucket === "hour" ? rangeBounds.outcomesByHour : rangeBounds.outcomesByDay;
    return readOutcomes(pool, { organizationId, bucket, ...askedRange(query, bounds) });
  });

  defineConsoleOperation(app, "getTopReasons", async ({ organizationId, query }) =>
    readTopReasons(pool, { organizationId, ...askedRange(query, rangeBounds.reasons) }),
  );

  defineConsoleOperation(app, "getLocalDays", ({ organizationId, query: { location, ...dates } }) =>
    readLocalDays(pool, { organizationId, locationId: location, ...dates }),
  );

  defineConsoleOperation(app, "getLocalHours", ({ organizationId, query: { location, date } }) =>
    readLocalHours(pool, { organizationId, locationId: location, date }),
  );

  defineConsoleOperation(app, "getLimitUse", ({ organizationId }) =>
    readLimitUse(pool, organizationId, limits),
  );

  defineConsoleOperation(app, "getKeyUse", async ({ organizationId, query }) =>
    readKeyUse(pool, { organizationId, apiKeyId: query.apiKey, ...askedRange(query, rangeBounds.keyUse) }),
  );

  defineConsoleOperation(app, "getClockWarnings", ({ organizationId }) =>
    readClockWarnings(pool, organizationId),
  );
}
