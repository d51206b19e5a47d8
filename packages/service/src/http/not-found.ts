import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { RequestRefused } from "./errors.js";

/** 404 for unknown paths, 405 with Allow for known paths with another method. */
export const notFound = fastifyPlugin(async (app: FastifyInstance) => {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook("onRoute", (route) => {
    if (!route.config?.operation) return;
    const methods = methodsByPath.get(route.url) ?? new Set();
    for (const method of [route.method].flat()) methods.add(method);
    methodsByPath.set(route.url, methods);
  });

  app.setNotFoundHandler(async (request) => {
    const path = (request.raw.url ?? "/").split("?")[0] as string;
    for (const [pattern, methods] of methodsByPath) {
      if (!matches(pattern, path)) continue;
      throw new RequestRefused("methodNotAllowed", {
        headers: { allow: [...methods].toSorted().join(", ") },
      });
    }
    throw new RequestRefused("notFound");
  });
});

function matches(pattern: string, path: string): boolean {
  const expected = pattern.toLowerCase().split("/");
  const given = path.toLowerCase().replace(/\/$/, "").split("/");
  return (
    expected.length === given.length &&
    expected.every((part, index) => part === given[index] || (part.startsWith(":") && given[index] !== ""))
  );
}
