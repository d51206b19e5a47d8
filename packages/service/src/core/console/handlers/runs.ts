import type { FastifyInstance } from "fastify";
import { downloadFailures } from "../../imports/history/download-failures.js";
import { listRuns } from "../../imports/history/list-runs.js";
import { showRun, type DescribeRun } from "../../imports/history/show-run.js";
import { defineConsoleOperation } from "../define-operation.js";
import { fileTypes, sendDownload } from "../download.js";

export async function runHandlers(
  app: FastifyInstance,
  { describe }: { describe: readonly DescribeRun[] },
): Promise<void> {
  defineConsoleOperation(app, "listRuns", ({ pool, organizationId, query }) =>
    listRuns(pool, { organizationId, ...query }),
  );

  defineConsoleOperation(app, "getRun", ({ pool, organizationId, params }) =>
    showRun(pool, { organizationId, runId: params.referenceUuid, describe }),
  );

  defineConsoleOperation(
    app,
    "downloadFailures",
    async ({ pool, organizationId, params, request, reply }) => {
      const { referenceUuid: runId, format } = params;
      return sendDownload(pool, request, reply, {
        fileName: `failures-${runId}.${format}`,
        contentType: fileTypes[format],
        content: await downloadFailures(pool, { organizationId, runId, format }),
        audited: { action: "import.download-failures", subjectId: runId, detail: { format } },
      });
    },
  );
}
