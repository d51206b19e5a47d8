import {
  importResources,
  maxBytesOf,
  operations,
  type Operation,
  type OperationName,
} from "@gatehouse-parking/contract";
import type { Target } from "./attacks.js";

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

/** The parts of the OpenAPI document that say what a client may send. */
export interface Described {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
}

interface DescribedOperation {
  operationId: OperationName;
  parameters?: { in: "path" | "query" | "header"; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema; example: Record<string, unknown> }> };
}

/** Every operation in openapi.json, with everything that a client may send. */
export function publicTargets(described: Described, known: Record<string, string>): Target[] {
  const { schemas } = described.components;
  return Object.values(described.paths)
    .flatMap((methods) => Object.values(methods))
    .map(({ operationId, parameters = [], requestBody }) => {
      const operation: Operation = operations[operationId];
      const names = (where: string) => parameters.filter((one) => one.in === where).map(({ name }) => name);
      const content = requestBody?.content["application/json"];
      const batch = batchOf(operationId);
      const schema = content && resolve(schemas, content.schema);
      const record = batch && schema ? (schema.properties?.[batch.field]?.items as Schema) : schema;
      return {
        name: operationId,
        method: operation.method,
        path: operation.path,
        parameters: known,
        query: {},
        queryNames: names("query"),
        body: content && withKnown(content.example, known),
        bodyFields: record ? fieldsOf(schemas, record, "") : [],
        batch,
        headerNames: [...names("header"), "content-type", "x-request-id", "origin", "accept"],
        maxBytes: maxBytesOf(operation),
      };
    });
}

function batchOf(operationId: OperationName): Target["batch"] {
  const found = Object.entries(importResources).find(
    ([, { importOperation, validateOperation }]) =>
      importOperation === operationId || validateOperation === operationId,
  );
  return found && { field: found[0], keyField: found[1].keyField, maxRecords: found[1].maxRecords };
}

/** The published example, with references that exist in the test. */
function withKnown<T>(example: T, known: Record<string, string>): T {
  return JSON.parse(JSON.stringify(example), (name, value: unknown) =>
    typeof value === "string" && known[name] ? known[name] : value,
  ) as T;
}

/** Whole objects and their fields. */
function fieldsOf(schemas: Record<string, Schema>, schema: Schema, prefix: string): string[] {
  return Object.entries(resolve(schemas, schema).properties ?? {}).flatMap(([name, inner]) => [
    prefix + name,
    ...fieldsOf(schemas, inner, `${prefix}${name}.`),
  ]);
}

function resolve(schemas: Record<string, Schema>, schema: Schema): Schema {
  const reference = schema.$ref ?? schema.anyOf?.find((one) => one.$ref)?.$ref;
  return reference ? (schemas[reference.split("/").at(-1) as string] as Schema) : schema;
}
