import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { readTraceParent, type TraceParent } from "../telemetry/trace-parent.js";
import { uuidv7 } from "../uuidv7.js";

/** A caller's request id that is safe to log and to send back. */
const harmlessId = /^[A-Za-z0-9._:-]{1,64}$/;

export function requestId(raw: IncomingMessage): string {
  const given = raw.headers["x-request-id"];
  return typeof given === "string" && harmlessId.test(given) ? given : uuidv7();
}

/** Logs one line per answer, without headers, bodies or query strings, so that no key, token or personal data gets in. */
export const requestLog = fastifyPlugin(async (app: FastifyInstance) => {
  app.decorateRequest("refusal", null);
  app.decorateRequest("traceParent", null);
  app.addHook("onRequest", (request, reply, done) => {
    void reply.header("x-request-id", request.id);
    request.traceParent = readTraceParent(request.headers["traceparent"]) ?? null;
    done();
  });
  app.addHook("onRequestAbort", async (request) => {
    request.log.info({ ...whoAndWhat(request), outcome: "aborted" }, "the client went away");
  });
  app.addHook("onResponse", (request, reply, done) => {
    const line = {
      ...whoAndWhat(request),
      status: reply.statusCode,
      outcome: request.refusal ?? (reply.statusCode < 500 ? "ok" : "failed"),
      durationMs: Math.round(reply.elapsedTime * 10) / 10,
    };
    // Health probes and static files are too many for the info level.
    if (request.routeOptions.config.quiet && reply.statusCode < 500) request.log.debug(line, "answered");
    else request.log.info(line, "answered");
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
    traceId: request.traceId ?? request.traceParent?.traceId,
  };
}

declare module "fastify" {
  interface FastifyRequest {
    /** The import run this request made, for the log. */
    referenceUuid?: string;
    /** The caller's `traceparent` header, if it is valid. */
    traceParent: TraceParent | null;
    /** The trace of this request, if it is sampled here. */
    traceId?: string;
  }
  interface FastifyContextConfig {
    quiet?: boolean;
  }
}
