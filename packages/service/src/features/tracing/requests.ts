import type { FastifyInstance, FastifyRequest } from "fastify";
import type { RecordedSpan, Recorder } from "./recorder.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The span of the whole request, if it is recorded. */
    span: RecordedSpan | null;
  }
}

/**
 * Opens a span for every request, named after its operation. Probes and static files have none and are not in
 * the log either.
 */
export function recordRequests(app: FastifyInstance, recorder: Recorder): void {
  app.decorateRequest("span", null);
  app.addHook("onRequest", (request, _reply, done) => {
    const { config, url: route } = request.routeOptions;
    if (config.quiet) return done();
    const span = recorder.begin(
      config.operation ?? `${request.method} ${route ?? ""}`.trimEnd(),
      { "http.request.method": request.method, "http.route": route, "gatehouse.request.id": request.id },
      request.headers,
    );
    if (!span) return done();
    request.span = span;
    request.traceId = span.traceId;
    // Everything that follows is called from here and belongs to the span. Fastify keeps the context while it
    // reads the body.
    recorder.within(span, done);
  });
  app.addHook("onResponse", (request, reply, done) => {
    if (request.span) endRequest(request, request.span, reply.statusCode);
    done();
  });
}

function endRequest(request: FastifyRequest, span: RecordedSpan, status: number): void {
  span.set({
    "http.response.status_code": status,
    "gatehouse.organization.uuid": request.caller?.organizationId ?? request.organization?.id,
    "gatehouse.run.uuid": request.referenceUuid,
    "gatehouse.refusal": request.refusal ?? undefined,
  });
  if (status >= 500) span.fail(String(status));
  span.end();
}
