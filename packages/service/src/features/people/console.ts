import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import { fileTypes, LargeFiles, sendPieces } from "../../core/console/download.js";
import { listUnfinishedErasures } from "./erasure-state.js";
import { exportFile, startExport } from "./export-person.js";
import { findPerson } from "./find-person.js";
import { RunningErasures } from "./running-erasures.js";

export async function peopleHandlers(
  app: FastifyInstance,
  { uncheckedPool }: { uncheckedPool: pg.Pool },
): Promise<void> {
  // Only the transaction that begins an erasure checks the session: the erasure continues if the user loses access.
  const erasures = new RunningErasures(uncheckedPool);
  const files = new LargeFiles();

  defineConsoleOperation(app, "listUnfinishedErasures", ({ pool, organizationId }) =>
    listUnfinishedErasures(pool, organizationId),
  );

  defineConsoleOperation(app, "findPerson", ({ pool, organizationId, actor, body }) =>
    findPerson(pool, { organizationId, actor, ...withoutEmptyFields(body) }),
  );

  defineConsoleOperation(
    app,
    "exportPerson",
    async ({ pool, organizationId, actor, body, request, reply }) => {
      files.enter(request, reply);
      const started = await startExport(pool, { organizationId, actor, ...withoutEmptyFields(body) });
      return sendPieces(request, reply, {
        fileName: `person.${body.format}`,
        contentType: fileTypes[body.format],
        pieces: exportFile(pool, started, body.format),
      });
    },
  );

  defineConsoleOperation(app, "erasePerson", ({ pool, organizationId, actor, body, request }) =>
    erasures.erase(
      {
        organizationId,
        actor,
        ...withoutEmptyFields(body),
        confirmation: { email: body.emailConfirmation ?? "", phone: body.phoneConfirmation ?? "" },
        isAskedAgain: body.isAskedAgain,
        beginIn: pool,
      },
      (error) => request.log.error({ err: error }, "erasure of a person failed"),
    ),
  );
}

/** An empty field of a form is not a value. */
function withoutEmptyFields({ email, phone }: { email?: string; phone?: string }) {
  return {
    ...(email?.trim() && { email }),
    ...(phone?.trim() && { phone }),
  };
}
