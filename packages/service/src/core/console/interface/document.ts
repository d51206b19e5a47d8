import {
  ConsoleError,
  consoleOperations,
  consoleRefusals,
  pathParameters,
  type ConsoleErrorCode,
  type ConsoleOperation,
} from "@gatehouse-parking/contract/console";
import { sessionCookie } from "../sessions/session-cookie.js";
import { ComponentSchemas } from "./schemas.js";

/**
 * The OpenAPI document of the console's interface, generated from the declarations that the service registers
 * and validates against.
 */
export function consoleDocument(version: string): object {
  const schemas = new ComponentSchemas();
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, operation] of Object.entries<ConsoleOperation>(consoleOperations)) {
    const path = operation.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][operation.method.toLowerCase()] = describe(name, operation, schemas);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Gatehouse console",
      version,
      description:
        "The interface that the pages of the administration console use. It may change with every release; programs use the public interface.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This service" }],
    security: [{ session: [] }],
    paths,
    components: {
      schemas: schemas.all(),
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: sessionCookie } },
    },
  };
}

function describe(name: string, operation: ConsoleOperation, schemas: ComponentSchemas): object {
  const { method, path, role, summary, query, answer } = operation;
  const conditions = [
    role === "public" ? "Needs no session." : `Needs the role ${role}.`,
    ...(operation.audited ? ["The audit log records it."] : []),
  ];
  return {
    operationId: name,
    summary,
    description: [operation.description, conditions.join(" ")].filter(Boolean).join("\n\n"),
    ...(role === "public" ? { security: [] } : {}),
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, part]) => ({
        name: part,
        in: "path",
        required: true,
        schema: schemas.inline(pathParameters[part as keyof typeof pathParameters]),
      })),
      ...queryParameters(query as QuerySchema | undefined, schemas),
    ],
    ...requestBodyOf(operation, schemas),
    responses: { ...answerOf(answer, schemas), ...refusalsOf(method, role, schemas) },
  };
}

function requestBodyOf({ body, bytes }: ConsoleOperation, schemas: ComponentSchemas): object {
  if (bytes) return { requestBody: { required: true, content: { "application/octet-stream": {} } } };
  if (body === undefined) return {};
  return {
    requestBody: { required: true, content: { "application/json": { schema: schemas.inline(body) } } },
  };
}

interface QuerySchema {
  properties: Record<string, object>;
  required?: readonly string[];
}

function queryParameters(query: QuerySchema | undefined, schemas: ComponentSchemas): object[] {
  return Object.entries(query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: query?.required?.includes(name) ?? false,
    schema: schemas.inline(schema),
  }));
}

function answerOf(answer: object, schemas: ComponentSchemas): Record<string, object> {
  const { type, "x-media-types": mediaTypes = ["application/json"] } = answer as {
    type?: string;
    "x-media-types"?: readonly string[];
  };
  if (type === "void") return { 204: { description: "Done." } };
  const schema = schemas.inline(answer);
  return {
    200: {
      description: "The answer.",
      content: Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }])),
    },
  };
}

const refusalsOfAll: readonly ConsoleErrorCode[] = [
  "loopbackOnly",
  "invalid",
  "notFound",
  "rateLimited",
  "unavailable",
  "internal",
];
const refusalsOfWrites: readonly ConsoleErrorCode[] = [
  "crossSite",
  "conflict",
  "tooLarge",
  "unsupportedMediaType",
];

function refusalsOf(
  method: string,
  role: ConsoleOperation["role"],
  schemas: ComponentSchemas,
): Record<string, object> {
  const possible: ConsoleErrorCode[] = [
    ...(role === "public"
      ? (["signInRefused", "linkRefused"] as const)
      : (["signedOut", "roleMissing"] as const)),
    ...(method === "GET" ? [] : refusalsOfWrites),
    ...refusalsOfAll,
  ];
  const content = { "application/json": { schema: schemas.inline(ConsoleError) } };
  const statuses = [...new Set(possible.map((code) => consoleRefusals[code].status))].toSorted();
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = possible.filter((code) => consoleRefusals[code].status === status);
      const description = codes.map((code) => `${code}: ${consoleRefusals[code].message}.`).join("\n\n");
      return [status, { description, content }];
    }),
  );
}
