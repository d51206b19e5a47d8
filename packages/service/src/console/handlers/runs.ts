import { ImportResource, RunStatus } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { defineRoute } from "../access.js";
import { sendDownload } from "../download.js";
import { uuidParameter, wordParameter } from "../parameters.js";
import { readQuery } from "../query.js";
import { downloadFailures, failureFormats } from "../../imports/history/download-failures.js";
import { listRuns } from "../../imports/history/list-runs.js";
import { showRun } from "../../imports/history/show-run.js";

const contentTypes = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson; charset=utf-8" };

export async function runRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineRoute(app, "listRuns", async (request) => {
    const query = readQuery(request);
    return listRuns(pool, {
      organizationId: request.organization.id,
      resource: query.oneOf("resource", Object.values(ImportResource)),
      status: query.oneOf("status", Object.values(RunStatus)),
      apiKeyId: query.uuid("apiKey"),
      from: query.timestamp("from"),
      to: query.timestamp("to"),
      before: query.uuid("before"),
      limit: query.limit(),
    });
  });

  defineRoute(app, "getRun", async (request) =>
    showRun(pool, request.organization.id, uuidParameter(request, "referenceUuid")),
  );

  defineRoute(app, "downloadFailures", async (request, reply) => {
    const runId = uuidParameter(request, "referenceUuid");
    const format = wordParameter(request, "format", failureFormats);
    const content = await downloadFailures(pool, { organizationId: request.organization.id, runId, format });
    return sendDownload(pool, request, reply, {
      fileName: `failures-${runId}.${format}`,
      contentType: contentTypes[format],
      content,
      audited: { action: "import.download-failures", subjectId: runId, detail: { format } },
    });
  });
}
