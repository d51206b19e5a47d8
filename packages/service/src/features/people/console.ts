import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { ErasuresUnderWay, type Confirmation } from "./erasures-under-way.js";
import { exportFile, startExport } from "./export-person.js";
import { findPerson } from "./find-person.js";
import { listUnfinishedErasures } from "./unfinished-erasures.js";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import { fileTypes, LargeFiles, sendPieces } from "../../core/console/download.js";

export async function peopleHandlers(
  app: FastifyInstance,
  { uncheckedPool }: { uncheckedPool: pg.Pool },
): Promise<void> {
  // An erasure that has begun goes on whoever began it.
  const erasures = new ErasuresUnderWay(uncheckedPool);
  const files = new LargeFiles();

  defineConsoleOperation(app, "listUnfinishedErasures", ({ pool, organizationId }) =>
    listUnfinishedErasures(pool, organizationId),
  );

  defineConsoleOperation(app, "findPerson", ({ pool, organizationId, actor, body }) =>
    findPerson(pool, { organizationId, actor, ...given(body) }),
  );

  defineConsoleOperation(
    app,
    "exportPerson",
    async ({ pool, organizationId, actor, body, request, reply }) => {
      files.enter(request, reply);
      const started = await startExport(pool, { organizationId, actor, ...given(body) });
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
        ...given(body),
        confirmation: confirmationIn(body),
        isAskedAgain: body.isAskedAgain,
        beginIn: pool,
      },
      (error) => request.log.error({ err: error }, "an erasure was cut short"),
    ),
  );
}

function confirmationIn(body: { emailConfirmation?: string; phoneConfirmation?: string }): Confirmation {
  return { email: body.emailConfirmation ?? "", phone: body.phoneConfirmation ?? "" };
}

/** A field of a form that was left empty says nothing. */
function given({ email, phone }: { email?: string; phone?: string }): { email?: string; phone?: string } {
  return {
    ...(email?.trim() && { email }),
    ...(phone?.trim() && { phone }),
  };
}
