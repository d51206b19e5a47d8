import { errors, operationNames, operations, permissions, type ErrorName } from "@gatehouse-parking/contract";
import Fastify from "fastify";
import { describe, expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { declaredRoutes } from "./declared-routes.js";

const gatehouse = useApp();

interface Described {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> };
  responses: Record<string, { description: string; headers?: object; content?: Record<string, object> }>;
  security?: object[];
}
const documented = () =>
  gatehouse.app.swagger() as unknown as {
    paths: Record<string, Record<string, Described>>;
    security: object[];
  };

const routes = () =>
  gatehouse.app.declaredRoutes.flatMap((route) =>
    [route.method]
      .flat()
      .map((method) => ({ method, url: route.url, config: route.config, schema: route.schema })),
  );

test("every route declares an operation or another kind of access", () => {
  expect(routes().length).toBeGreaterThan(15);
  const undeclared = routes().filter(({ config }) => {
    const declares = [config?.operation, config?.access].filter((declared) => declared !== undefined);
    return declares.length !== 1;
  });
  expect(undeclared).toEqual([]);
});

test("an app with an undeclared route does not start", async () => {
  const app = Fastify();
  await app.register(declaredRoutes);
  app.get("/open", async () => "anyone");
  await expect(app.ready()).rejects.toThrow("GET /open declares neither an operation nor its access");
});

/** @covers R1-R7, R16, R213 */
test("all operations of the contract are registered, and no other routes under their paths", () => {
  const operated = routes().filter(({ config }) => config?.operation);
  expect(operated.map(({ config }) => config?.operation).toSorted()).toEqual(operationNames.toSorted());
  for (const { method, url, config } of operated) {
    const operation = operations[config?.operation as keyof typeof operations];
    expect({ method, url }).toEqual({ method: operation.method, url: operation.path });
  }
  const others = routes().filter(
    ({ url, config }) => /^\/(integrations|lead)(\/|$)/i.test(url) && !config?.operation,
  );
  // Browsers send OPTIONS before they post a lead.
  expect(others.map(({ method, url }) => `${method} ${url}`)).toEqual(["OPTIONS /lead/submit"]);
});

test("every API route checks the key: HEAD does not bypass it", () => {
  for (const { method, url, config } of routes())
    if (method === "HEAD") expect(config?.operation, url).toBeUndefined();
});

/** Batches with too many records get 413 with a body. */
const takesBatch = (name: string) => /^(import|validate)[A-Z]/.test(name);
const hasQueryParameters: ReadonlySet<string> = new Set([
  "listMappings",
  "listUploads",
  "listUploadOutcomes",
  "downloadUploadFailures",
]);
const changesUpload: ReadonlySet<string> = new Set([
  ...["createUpload", "sendUploadPiece", "startUpload", "cancelUpload", "removeUpload"],
]);

describe.each(operationNames)("%s", (name) => {
  const operation = operations[name];
  const path = operation.path.replace(/:(\w+)/, "{$1}");
  const entry = () => documented().paths[path]?.[operation.method.toLowerCase()] as Described;

  test("has a limit and a permission", () => {
    expect(operation.limit.requests).toBeGreaterThan(0);
    expect(operation.limit.windowSeconds).toBeGreaterThan(0);
    expect(permissions).toContain(operation.permission);
  });

  test("has an entry in OpenAPI, by its name, with its answer and all its errors", () => {
    expect(entry()).toMatchObject({
      operationId: name,
      summary: operation.summary,
      description: expect.stringContaining(operation.permission),
    });
    // Every operation requires the key, which the document declares once.
    expect(entry().security ?? documented().security).toEqual([{ apiKey: [] }]);
    const statuses = Object.keys(entry().responses).map(Number);
    const expected = [200, 403, 429, 500, 503];
    if (name === "submitLead") expected.push(422);
    else expected.push(401);
    if (entry().requestBody) expected.push(400, 408, 413, 415);
    else if (hasQueryParameters.has(name)) expected.push(400);
    if (operation.path.includes(":")) expected.push(404);
    if (changesUpload.has(name)) expected.push(409);
    expect(statuses.toSorted()).toEqual(expected.toSorted());
  });

  test("describes every answer, its headers and its shape, with an example", () => {
    for (const [status, answer] of Object.entries(entry().responses)) {
      expect(answer.description, status).not.toBe("");
      expect(Object.keys(answer.headers ?? {}), status).toEqual(
        expect.arrayContaining([
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset",
          "X-Request-Id",
        ]),
      );
      if (status === "429" || status === "503") expect(answer.headers).toHaveProperty("Retry-After");
      // 413 has no body.
      if (status === "413" && !takesBatch(name)) expect(answer.content).toBeUndefined();
      else expect(Object.keys(answer.content ?? {}).length, status).toBeGreaterThan(0);
    }
    for (const described of [entry().responses["200"], entry().requestBody])
      for (const content of Object.values(described?.content ?? {}))
        expect(content).toHaveProperty("example");
  });

  test("has schemas for all answers, so that unexpected fields are not sent", () => {
    const route = routes().find(({ config }) => config?.operation === name);
    expect(Object.keys(route?.schema?.response ?? {})).toEqual(Object.keys(entry().responses));
  });
});

test("every error is documented by an operation, or happens before any operation", () => {
  const described = Object.values(documented().paths)
    .flatMap((path) => Object.values(path))
    .flatMap((entry) => Object.values(entry.responses))
    .map(({ description }) => description)
    .join("\n");
  const elsewhere: ErrorName[] = [
    "loopbackOnly",
    "methodNotAllowed",
    "requestMalformed",
    "expectationFailed",
    "transferCodingUnknown",
    "headersTooLarge",
  ];
  for (const [name, { message }] of Object.entries(errors))
    expect(described.includes(`${message}.`), name).toBe(!elsewhere.includes(name as ErrorName));
});
