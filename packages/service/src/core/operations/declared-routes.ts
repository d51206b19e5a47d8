import type { FastifyInstance, RouteOptions } from "fastify";
import fastifyPlugin from "fastify-plugin";

/**
 * The routes of the app, and the rule that each of them says who may use it: an operation of the interface (key,
 * permission and limit apply) or another kind of access. An app with a route that says neither does not start.
 */
export const declaredRoutes = fastifyPlugin(async (app: FastifyInstance) => {
  const routes: RouteOptions[] = [];
  app.decorate("declaredRoutes", routes);
  app.addHook("onRoute", (route) => void routes.push(route));
  // Not before all plugins are loaded: the scope of a route may add to what it declares.
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
