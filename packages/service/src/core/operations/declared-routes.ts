import type { FastifyInstance, RouteOptions } from "fastify";
import fastifyPlugin from "fastify-plugin";

/**
 * Every route must declare who may use it: an API operation (with key, permission and rate limit) or another kind of
 * access. An app with an undeclared route does not start.
 */
export const declaredRoutes = fastifyPlugin(async (app: FastifyInstance) => {
  const routes: RouteOptions[] = [];
  app.decorate("declaredRoutes", routes);
  app.addHook("onRoute", (route) => void routes.push(route));
  // Checked after all plugins are loaded, because a route's scope may add to its declaration.
  app.addHook("onReady", async () => {
    const undeclared = routes.find(({ config }) => !config?.operation && !config?.access);
    if (undeclared)
      throw new Error(
        `${[undeclared.method].flat().join(", ")} ${undeclared.url} declares neither an operation nor its access`,
      );
  });
});

declare module "fastify" {
  interface FastifyInstance {
    declaredRoutes: readonly RouteOptions[];
  }
}
