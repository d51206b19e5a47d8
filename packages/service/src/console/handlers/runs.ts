import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { downloadFailures } from "../../imports/history/download-failures.js";
import { listRuns } from "../../imports/history/list-runs.js";
import { showRun } from "../../imports/history/show-run.js";
import { defineConsoleOperation } from "../define-operation.js";
import { sendDownload } from "../download.js";

const contentTypes = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson; charset=utf-8" };

export async function runHandlers(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineConsoleOperation(app, "listRuns", ({ organizationId, query }) =>
    listRuns(pool, { organizationId, ...query }),
  );

  defineConsoleOperation(app, "getRun", ({ organizationId, params }) =>
    showRun(pool, organizationId, params.referenceUuid),
  );

  defineConsoleOperation(app, "downloadFailures", async ({ organizationId, params, request, reply }) => {
    const { referenceUuid: runId, format } = params;
    return sendDownload(pool, request, reply, {
      fileName: `failures-${runId}.${format}`,
      contentType: contentTypes[format],
      content: await downloadFailures(pool, { organizationId, runId, format }),
      audited: { action: "import.download-failures", subjectId: runId, detail: { format } },
    });
  });
}
