import type { FastifyInstance } from "fastify";
import { sendInChunks } from "../../server/static-files.js";
import { packageVersion } from "../../version.js";
import { defineConsoleOperation } from "../define-operation.js";
import { consoleDocument } from "../interface/document.js";

/** The console's interface as an OpenAPI document. */
export async function interfaceHandlers(app: FastifyInstance): Promise<void> {
  let made: Buffer | undefined;
  // Built on the first request and cached, because it does not change.
  const text = (): Buffer => (made ??= Buffer.from(JSON.stringify(consoleDocument(packageVersion()))));

  defineConsoleOperation(app, "getConsoleInterface", async ({ reply }) =>
    sendInChunks(reply.type("application/json"), text()),
  );
}
