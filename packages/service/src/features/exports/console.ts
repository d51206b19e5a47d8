import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { Feature } from "../../core/feature.js";
import { sectionsOf } from "../../core/stored-tables/sections.js";
import { exportConnections } from "../../core/database/pool.js";
import { ExportQueue } from "./export-queue.js";
import { untilAnswered } from "../../core/operations/answer-lifetime.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import { fileTypes, sendFile } from "../../core/console/download.js";

/** How long a download may take. */
const maxMs = 60 * 60_000;

export async function wholeExportHandlers(
  app: FastifyInstance,
  { pool, features }: { pool: pg.Pool; features: readonly Feature[] },
): Promise<void> {
  const sections = await sectionsOf(features);
  const queue = new ExportQueue(pool, { sections, atOnce: exportConnections, maxMs });

  defineConsoleOperation(
    app,
    "exportOrganization",
    async ({ organizationId, actor, query, request, reply }) => {
      const content = await queue.open({ organizationId, actor, resume: query.resume });
      // Aborts the export if the client disconnects.
      untilAnswered(reply).addEventListener("abort", () => content.destroy());
      if (untilAnswered(reply).aborted) content.destroy();
      // An export has its own connection, so a slow download does not block the user's other requests.
      request.userPermit.leave();
      return sendFile(reply, {
        fileName: `organization-${organizationId}.ndjson`,
        contentType: fileTypes.ndjson,
        content,
      });
    },
  );
}
