import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { browseRecords } from "../../records/browse-records.js";
import { showRecordLife } from "../../records/record-life.js";
import type { FindRemoved } from "../../records/removed-records.js";
import { defineConsoleOperation } from "../define-operation.js";

export async function recordHandlers(
  app: FastifyInstance,
  { pool, findRemoved }: { pool: pg.Pool; findRemoved: FindRemoved },
): Promise<void> {
  defineConsoleOperation(app, "listRecords", ({ organizationId, params: { kind }, query }) =>
    browseRecords(pool, { organizationId, kind, ...query }),
  );

  defineConsoleOperation(app, "getRecord", ({ organizationId, params: { kind, recordUuid } }) =>
    showRecordLife(pool, organizationId, { kind, id: recordUuid, findRemoved }),
  );
}
