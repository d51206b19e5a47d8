import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { uuidv7 } from "../uuidv7.js";

/** The caller's request ID, if it is safe to log and return. */
const harmlessId = /^[A-Za-z0-9._:-]{1,64}$/;

export function requestId(raw: IncomingMessage): string {
  const given = raw.headers["x-request-id"];
  return typeof given === "string" && harmlessId.test(given) ? given : uuidv7();
}

/** W3C Trace Context. Version 00 ends with the flags; later versions may add to the end. */
const traceParent =
  /^(?!ff|00-.{52}-)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]{0,400})?$/;

/** The caller's trace, for requests that are not traced here. */
export function callerTraceId(header: string | string[] | undefined): string | undefined {
  return typeof header === "string" ? traceParent.exec(header)?.[1] : undefined;
}

/** Logs one line per answer, without headers, bodies or query strings, so that no key, token or personal data gets in. */
export const requestLog = fastifyPlugin(async (app: FastifyInstance) => {
  app.decorateRequest("refusal", null);
  app.decorateRequest("refusalMessages", null);
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("x-request-id", request.id);
    done();
  });
  app.addHook("onRequestAbort", async (request) => {
    request.log.info({ ...whoAndWhat(request), outcome: "aborted" }, "request aborted by the client");
  });
  app.addHook("onResponse", (request, reply, done) => {
    const line = {
      ...whoAndWhat(request),
      status: reply.statusCode,
      outcome: request.refusal ?? (reply.statusCode < 500 ? "ok" : "failed"),
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    // Health probes and static files are too many for the info level.
    if (request.routeOptions.config.quiet && reply.statusCode < 500)
      request.log.debug(line, "request completed");
    else request.log.info(line, "request completed");
    done();
  });
});

function whoAndWhat(request: FastifyRequest): object {
  return {
    method: request.method,
    route: request.routeOptions.url ?? "none",
    operation: request.routeOptions.config.operation,
    organizationId: request.caller?.organizationId ?? request.organization?.id,
    apiKeyId: request.caller?.apiKeyId,
    keyProblem: request.keyProblem ?? undefined,
    userUuid: request.person?.id,
    referenceUuid: request.referenceUuid ?? undefined,
    traceId: request.traceId ?? callerTraceId(request.headers["traceparent"]),
  };
}

declare module "fastify" {
  interface FastifyRequest {
    /** The import that this request made, for the log. */
    referenceUuid?: string;
    /** The trace of this request, if it is traced here. */
    traceId?: string;
  }
  interface FastifyContextConfig {
    quiet?: boolean;
  }
}
