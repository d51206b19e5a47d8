import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { renderError } from "../refusals/render-error.js";
import { Refused } from "../refusals/refused.js";

/** Node accepts at most this many bytes before a body, so no URL is longer. */
export const maxUrlLength = 16_384;

/**
 * The router answers malformed percent-encoding without the error envelope. After escaping, such a URL gets an
 * ordinary 404.
 */
export function escapeMalformedUrl({ url = "/" }: { url?: string | undefined }): string {
  const [path = ""] = url.split(/[?#]/, 1);
  if (!path.includes("%")) return url;
  try {
    decodeURI(path);
    return url;
  } catch {
    return path.replaceAll("%", "%25") + url.slice(path.length);
  }
}

/** For URLs that the router still rejects, such as an absolute URL without a path. No hook has run for them. */
export function refuseUrl(_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  void renderError(new Refused("notFound"), request, reply.header("x-request-id", request.id));
}

/** 404 for unknown paths, 405 with Allow for known paths with another method. */
export const notFound = fastifyPlugin(async (app: FastifyInstance) => {
  app.setNotFoundHandler(async (request) => {
    const path = (request.raw.url ?? "/").split("?")[0] as string;
    const methods = app.declaredRoutes
      .filter((route) => matches(route.url, path))
      .flatMap((route) => allowedMethods(route));
    if (methods.length === 0 || methods.includes(request.method)) throw new Refused("notFound");
    throw new Refused("methodNotAllowed", {
      headers: { allow: [...new Set(methods)].toSorted().join(", ") },
    });
  });
});

/** OPTIONS is only for CORS preflight requests. */
function allowedMethods(route: RouteOptions): string[] {
  return [route.method].flat().filter((method) => method !== "OPTIONS");
}

function matches(pattern: string, path: string): boolean {
  if (pattern.includes("*")) return false;
  const expected = pattern.toLowerCase().split("/");
  const given = path.toLowerCase().replace(/\/$/, "").split("/");
  return (
    expected.length === given.length &&
    expected.every((part, index) => part === given[index] || (part.startsWith(":") && given[index] !== ""))
  );
}
