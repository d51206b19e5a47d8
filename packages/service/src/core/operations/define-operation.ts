import {
  errorHeader,
  errorShapeExamples,
  errors,
  exampleTimestamp,
  maxBytesOf,
  operationExamples,
  operations,
  type ErrorName,
  type Operation,
  type OperationName,
} from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * Registers one API operation. Path, method, permission and limit come from the contract's table. This adds the
 * OpenAPI texts and schemas and the handler. Every operation documents all errors it can answer.
 */
export interface OperationDefinition {
  description: string;
  query?: Record<string, object>;
  params?: Record<string, object>;
  headers?: Record<string, object>;
  /** The name of a schema in the contract, or a media type that is not JSON. */
  body?: string;
  answer: string;
  /** Headers beyond those of every operation. */
  answerHeaders?: Record<string, object> | undefined;
  /** Errors beyond those of every operation. */
  errors?: readonly ErrorName[];
  /** Schemas that replace the error envelope, by status: content type to schema names. */
  errorShapes?: Record<number, Record<string, string>>;
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

const sharedErrors: readonly ErrorName[] = [
  "rateLimited",
  "internal",
  "databaseUnavailable",
  "overloaded",
  "shuttingDown",
];
const keyErrors: readonly ErrorName[] = ["httpsRequired", "keyMissing", "keyInvalid", "permissionMissing"];
const leadKeyErrors: readonly ErrorName[] = ["httpsRequired", "keyRefused", "permissionMissing"];
const bodyErrors: readonly ErrorName[] = ["requestTimeout", "bodyTooLarge", "unsupportedMediaType"];

const limitHeaders = {
  "X-RateLimit-Limit": { type: "integer", description: "Requests allowed in the window." },
  "X-RateLimit-Remaining": { type: "integer", description: "Requests left in the window." },
  "X-RateLimit-Reset": {
    type: "integer",
    description: "Unix time when the oldest request leaves the window.",
  },
  "X-Request-Id": { type: "string", description: "Identifies this request in the service's log." },
};

const retryHeader = { "Retry-After": { type: "integer", description: "Seconds to wait." } };
const headersByStatus: Record<number, object> = {
  401: { "WWW-Authenticate": { type: "string", description: "Names the header for the API key." } },
  429: retryHeader,
  503: retryHeader,
};

export function defineOperation(
  app: FastifyInstance,
  name: OperationName,
  definition: OperationDefinition,
): void {
  const operation = operations[name];
  const possible = [
    ...(operation.limit.per === "address" ? leadKeyErrors : keyErrors),
    ...(definition.body ? bodyErrors : []),
    ...(definition.errors ?? []),
    ...sharedErrors,
  ];
  app.route({
    method: operation.method,
    url: operation.path,
    // HEAD would be a second, undocumented route.
    exposeHeadRoute: false,
    config: { operation: name },
    bodyLimit: maxBytesOf(operation),
    schema: {
      operationId: name,
      summary: operation.summary,
      description: `${definition.description}\n\n${conditions(operation)}`,
      tags: ["ours" in operation ? "Extensions" : name === "submitLead" ? "Leads" : "Integrations"],
      ...(definition.query ? { querystring: { type: "object", properties: definition.query } } : {}),
      ...(definition.params
        ? {
            params: {
              type: "object",
              properties: definition.params,
              required: Object.keys(definition.params),
            },
          }
        : {}),
      ...(definition.headers ? { headers: { type: "object", properties: definition.headers } } : {}),
      ...(definition.body
        ? {
            body: isMediaType(definition.body)
              ? { content: contentOf(definition.body) }
              : { $ref: `${definition.body}#` },
          }
        : {}),
      response: {
        200: {
          description: "The answer.",
          headers: { ...limitHeaders, ...definition.answerHeaders },
          content: contentOf(definition.answer, { example: operationExamples[name].answer }),
        },
        ...errorResponses(possible, definition.errorShapes ?? {}),
      },
    } as object,
    handler: definition.handler,
  });
}

const isMediaType = (name: string): boolean => name.includes("/");

function contentOf(name: string, example: { example?: unknown } = {}): object {
  if (isMediaType(name)) return { [name]: { schema: { type: "string" }, ...example } };
  return { "application/json": { schema: { $ref: `${name}#` }, ...example } };
}

/** The key, permission and limit of the operation. */
function conditions({ permission, limit }: Operation): string {
  const counted = limit.per === "organization" ? "organization, whichever key is used" : "client address";
  return `Needs a key with the permission \`${permission}\`. At most ${limit.requests} requests within ${limit.windowSeconds} seconds per ${counted}.`;
}

/** The envelope has one example per error; other schemas have one example each. */
function examplesOf(schemaId: string, names: readonly ErrorName[]): object {
  if (schemaId === "ErrorEnvelope") {
    const examples = names.map((name) => [
      name,
      {
        summary: errors[name].message,
        value: {
          success: false,
          message: errors[name].message,
          errors: [errors[name].message],
          timestamp: exampleTimestamp,
        },
      },
    ]);
    return { examples: Object.fromEntries(examples) };
  }
  return schemaId in errorShapeExamples ? { example: errorShapeExamples[schemaId] } : {};
}

function errorResponses(
  possible: readonly ErrorName[],
  shapes: Record<number, Record<string, string>>,
): object {
  const statuses = [...new Set(possible.map((name) => errors[name].status))].toSorted();
  return Object.fromEntries(
    statuses.map((status) => {
      const names = possible.filter((name) => errors[name].status === status);
      const description = names.map((name) => `${errors[name].message}. ${errors[name].advice}`).join("\n\n");
      const shape = shapes[status] ?? {
        "application/json": status === 429 ? "RateLimitAnswer" : "ErrorEnvelope",
      };
      const content = Object.fromEntries(
        Object.entries(shape).map(([contentType, id]) => [
          contentType,
          { schema: { $ref: `${id}#` }, ...examplesOf(id, names) },
        ]),
      );
      const errorName = { type: "string", enum: names, description: "The name of the error, for programs." };
      const headers = { ...limitHeaders, [errorHeader]: errorName, ...headersByStatus[status] };
      const isEmpty = names.every((name) => name === "bodyTooLarge");
      return [status, { description, headers, ...(isEmpty ? { type: "null" } : { content }) }];
    }),
  );
}
