import type { FastifyInstance } from "fastify";
import type pg from "pg";
import type { Feature } from "../../core/feature.js";
import { sectionsOf } from "../../core/stored-tables/sections.js";
import { exportConnections } from "../../core/database/pool.js";
import { ExportQueue } from "./export-queue.js";
import { untilAnswered } from "../../core/operations/answer-lifetime.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import { fileTypes, sendFile } from "../../core/console/download.js";

/** How long somebody may take to take a file. */
const maxMs = 60 * 60_000;

export async function wholeExportHandlers(
  app: FastifyInstance,
  { pool, features }: { pool: pg.Pool; features: readonly Feature[] },
): Promise<void> {
  const sections = await sectionsOf(features);
  const desk = new ExportQueue(pool, { sections, atOnce: exportConnections, maxMs });

  defineConsoleOperation(
    app,
    "exportOrganization",
    async ({ organizationId, actor, query, request, reply }) => {
      const content = await desk.open({ organizationId, actor, resume: query.resume });
      // Ends the export if the client leaves.
      untilAnswered(reply).addEventListener("abort", () => content.destroy());
      if (untilAnswered(reply).aborted) content.destroy();
      // It has a connection of its own, so that it need not hold a turn of its person however slowly it is taken.
      request.userPermit.leave();
      return sendFile(reply, {
        fileName: `organization-${organizationId}.ndjson`,
        contentType: fileTypes.ndjson,
        content,
      });
    },
  );
}
