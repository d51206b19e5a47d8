import {
  consoleOperations,
  maxFormBytes,
  type ConsoleOperation,
  type ConsoleOperationName,
} from "@gatehouse-parking/contract/console";
import { pathParameters, sampleBody, sampleQuery } from "../console-requests.js";
import type { SampleOrganization } from "../sample-organization.js";
import type { Target } from "./attacks.js";

interface Schema {
  properties?: Record<string, object>;
}

/** A console operation with everything that its declaration accepts. */
export function consoleTarget(
  name: ConsoleOperationName,
  sample: { organization: SampleOrganization; memberUuid: string },
): Target {
  const operation: ConsoleOperation = consoleOperations[name];
  return {
    name,
    method: operation.method,
    path: operation.path,
    parameters: pathParameters(sample.organization, sample.memberUuid),
    query: sampleQuery(name, sample.organization),
    queryNames: fieldsOf(operation.query, ""),
    body: operation.method === "GET" ? undefined : sampleBody(name, sample.organization),
    headerNames: [],
    ...(operation.bytes ? { mediaType: "application/octet-stream" } : {}),
    maxBytes: operation.maxBytes ?? maxFormBytes,
    bodyFields: fieldsOf(operation.body, ""),
    openFields: openFieldsOf(operation.body),
    batch: undefined,
  };
}

function openFieldsOf(schema: Schema | undefined): string[] {
  return Object.entries(schema?.properties ?? {})
    .filter(([, field]) => (field as { type?: unknown }).type === "object" && !("properties" in field))
    .map(([name]) => name);
}

/** Whole objects and their fields. */
function fieldsOf(schema: Schema | undefined, prefix: string): string[] {
  return Object.entries(schema?.properties ?? {}).flatMap(([name, inner]) => [
    prefix + name,
    ...fieldsOf(inner, `${prefix}${name}.`),
  ]);
}
