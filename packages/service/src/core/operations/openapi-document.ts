import { operationExamples, publishedEmail, type OperationName } from "@gatehouse-parking/contract";
import { codeSamples, type CodeSample } from "./code-samples.js";

/** Completes the OpenAPI document that Fastify generates from the routes. */
export interface Document {
  paths?: Record<string, unknown>;
  components?: { schemas?: Record<string, unknown> };
}

interface Described {
  operationId?: string;
  "x-codeSamples"?: CodeSample[];
  requestBody?: { description?: string; content: Record<string, { example?: unknown }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

export function completeDocument(document: Document): void {
  for (const path of Object.values(document.paths ?? {}) as Record<string, Described>[]) {
    for (const operation of Object.values(path)) {
      addRequestExample(operation);
      if (operation.operationId)
        operation["x-codeSamples"] = codeSamples(operation.operationId as OperationName);
      addEnvelopeToRuns(operation);
    }
  }
  const { components } = document;
  // The contract's own schemas stay unchanged: records are validated with them.
  if (components?.schemas) components.schemas = publishFormats(components.schemas) as Record<string, unknown>;
}

/** Fastify supports schemas of request bodies but no examples, so they are added here. */
function addRequestExample({ operationId, requestBody }: Described): void {
  const content = Object.values(requestBody?.content ?? {})[0];
  const example = operationExamples[operationId as OperationName]?.request;
  if (!requestBody || !content || !example) return;
  content.example = example;
  const fields = JSON.stringify(example);
  const needed = neededForExample
    .filter(([field]) => fields.includes(`"${field}":`))
    .map(([, advice]) => advice);
  if (needed.length > 0) requestBody.description = needed.join(" ");
}

/** Notes about values in the examples that must exist in the organization. */
const neededForExample = [
  [
    "locationUuid",
    "The locationUuid of the example is a location of the demo organization. Elsewhere, replace it with the uuid of one of your locations, which GET /integrations/locations lists.",
  ],
  [
    "accountTPReferenceId",
    "The account ACME-0042 must exist. It is created by the example of POST /integrations/accounts.",
  ],
] as const;

/** A failed import answers with its import. Before an import exists, the error is in the envelope. */
function addEnvelopeToRuns({ responses }: Described): void {
  const content = responses["500"]?.content?.["application/json"];
  const envelope = { $ref: "#/components/schemas/ErrorEnvelope" };
  if (!content || ("$ref" in content.schema && content.schema.$ref === envelope.$ref)) return;
  content.schema = { anyOf: [content.schema, envelope] };
}

/** Our formats, described in terms that other generators and validators know. */
const publishedFormats: Record<string, { format?: string; pattern?: string; note?: string }> = {
  timestamp: { format: "date-time" },
  moment: { format: "date-time" },
  "local-date": { format: "date" },
  "date-or-timestamp": { note: "A date, or a date and time with a zone." },
  phone: { pattern: "^\\+?[0-9 ().\\-/]+$", note: "5 to 15 digits." },
  "lead-phone": { pattern: "^\\+[0-9 ().\\-/]+$", note: "With + and country code, 7 to 15 digits." },
  email: {
    pattern: publishedEmail.source,
    note: "International domains are accepted; control characters are not.",
  },
  "license-plate": { note: "At least one letter or digit." },
};

export function publishFormats(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(publishFormats);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, publishFormats(part)]));
  const published = typeof copy["format"] === "string" ? publishedFormats[copy["format"]] : undefined;
  if (!published) return copy;
  const { format: _ours, ...rest } = copy;
  const { note, ...standard } = published;
  const description = [copy["description"], note].filter(Boolean).join(" ");
  return { ...rest, ...standard, ...(description ? { description } : {}) };
}
