import type { FastifyInstance, RouteOptions } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { RequestRefused } from "../refusals/request-refused.js";

/** 404 for unknown paths, 405 with Allow for known paths with another method. */
export const notFound = fastifyPlugin(async (app: FastifyInstance) => {
  app.setNotFoundHandler(async (request) => {
    const path = (request.raw.url ?? "/").split("?")[0] as string;
    const methods = app.declaredRoutes
      .filter((route) => matches(route.url, path))
      .flatMap((route) => allowedMethods(route));
    if (methods.length === 0 || methods.includes(request.method)) throw new RequestRefused("notFound");
    throw new RequestRefused("methodNotAllowed", {
      headers: { allow: [...new Set(methods)].toSorted().join(", ") },
    });
  });
});

/** OPTIONS is only there for browsers that ask before they post. */
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
