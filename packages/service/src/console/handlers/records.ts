import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { defineRoute } from "../access.js";
import { uuidParameter, wordParameter } from "../parameters.js";
import { readQuery } from "../query.js";
import { recordKindWords } from "../../records/page-kinds.js";
import { browseRecords } from "../../records/browse-records.js";
import { showRecordLife } from "../../records/record-life.js";

const typeNumbers = [1, 2, 3, 4, 5] as const;

export async function recordRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineRoute(app, "listRecords", async (request) => {
    const query = readQuery(request);
    return browseRecords(pool, {
      organizationId: request.organization.id,
      kind: wordParameter(request, "kind", recordKindWords),
      location: query.uuid("location"),
      type: query.oneOf("type", typeNumbers),
      fromDate: query.localDate("fromDate"),
      toDate: query.localDate("toDate"),
      run: query.uuid("run"),
      links: {
        accounts: query.uuid("account"),
        contacts: query.uuid("contact"),
        vehicles: query.uuid("vehicle"),
        subscriptions: query.uuid("subscription"),
      },
      text: query.text("text"),
      before: query.text("before"),
      limit: query.limit(),
    });
  });

  defineRoute(app, "getRecord", async (request) =>
    showRecordLife(
      pool,
      request.organization.id,
      wordParameter(request, "kind", recordKindWords),
      uuidParameter(request, "recordUuid"),
    ),
  );
}
