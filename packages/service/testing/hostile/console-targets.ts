import type { FastifyInstance } from "fastify";
import { consoleRoutes, type ConsoleRoute, type ConsoleRouteName } from "@gatehouse-parking/contract/console";
import { pathParameters, sampleBody, sampleQuery } from "../console-requests.js";
import type { SampleOrganization } from "../sample-organization.js";
import type { Target } from "./attacks.js";
import { readsOf } from "./reads.js";

/**
 * Every route of the console's table. What it reads of its query and its body is found by watching it: once with the
 * request that succeeds, once with nothing, once with objects in all fields that it was seen to read.
 */
export async function consoleTarget(
  app: FastifyInstance,
  name: ConsoleRouteName,
  sample: { organization: SampleOrganization; memberUuid: string },
  send: (request: { method: string; url: string; payload?: string }) => Promise<unknown>,
): Promise<Target> {
  const { method, path }: ConsoleRoute = consoleRoutes[name];
  const parameters = pathParameters(sample.organization, sample.memberUuid);
  const query = sampleQuery(name, sample.organization);
  const body = method === "GET" ? undefined : sampleBody(name);
  const target: Target = {
    name,
    method,
    path,
    parameters,
    query,
    queryNames: [],
    body,
    bodyFields: [],
    batch: undefined,
    headerNames: [],
    maxBytes: app.declaredRoutes.find((route) => route.config?.consoleRoute === name)?.bodyLimit ?? 0,
  };
  const url = path.replaceAll(/:(\w+)/g, (_part, parameter: string) => parameters[parameter] as string);
  const ask = (search: Record<string, string>, fields: object | undefined): Promise<unknown> =>
    send({
      method,
      url: `${url}?${new URLSearchParams(search)}`,
      ...(fields ? { payload: JSON.stringify(fields) } : {}),
    });
  const first = await readsOf(async () => {
    await ask({}, body && {});
    await ask(query, body);
  });
  const objects = Object.fromEntries([...first.body].map((field) => [field, {}]));
  const second = await readsOf(() => ask(query, body && objects));
  return {
    ...target,
    queryNames: [...new Set([...first.query, ...second.query])],
    bodyFields: body ? [...new Set([...first.body, ...second.body])] : [],
  };
}
