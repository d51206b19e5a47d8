import { readFileSync } from "node:fs";

/**
 * Every place in a request that can name an object of another organization, read from the published OpenAPI
 * document. A new field is therefore added to the matrix or fails it.
 */
export interface IdentifyingField {
  operationId: string;
  method: "GET" | "POST" | "DELETE";
  /** In the path, as in /integrations/imports/{referenceUuid}. */
  path: string;
  where: "body" | "path" | "query" | "header";
  /** In a body: the path of the field without the array, as in account.tpReferenceId. */
  name: string;
  /** The array of the records, if the body is a batch. */
  batch: string | undefined;
}

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

interface Described {
  paths: Record<string, Record<string, DescribedOperation>>;
  components: { schemas: Record<string, Schema> };
}

interface DescribedOperation {
  operationId: string;
  parameters?: { in: IdentifyingField["where"]; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const identifies = /(uuid|referenceid|transactionid|email|phonenumber|licenseplate|^query|idempotency-key)$/i;
/** An account's own contact details are stored with it and never matched. */
const neverMatched = /contactEmail$|contactPhoneNumber$/;

export function identifyingFields(): IdentifyingField[] {
  const file = new URL("../../openapi.json", import.meta.url);
  const described = JSON.parse(readFileSync(file, "utf8")) as Described;
  const { schemas } = described.components;
  return Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { operationId } = operation;
      const request = { operationId, method: method.toUpperCase() as IdentifyingField["method"], path };
      const parameters = (operation.parameters ?? [])
        .filter(({ name }) => identifies.test(name))
        .map(({ in: where, name }) => ({ ...request, where, name, batch: undefined }));
      return [...parameters, ...fieldsOfBody(schemas, operation).map((field) => ({ ...request, ...field }))];
    }),
  );
}

function fieldsOfBody(
  schemas: Record<string, Schema>,
  operation: DescribedOperation,
): Pick<IdentifyingField, "where" | "name" | "batch">[] {
  const schema = operation.requestBody?.content["application/json"]?.schema;
  if (!schema) return [];
  const { properties = {} } = resolve(schemas, schema);
  const batch = Object.keys(properties).find((name) => properties[name]?.items);
  const record = batch === undefined ? schema : (properties[batch]?.items as Schema);
  return namesIn(schemas, record, "")
    .filter((name) => identifies.test(name) && !neverMatched.test(name))
    .map((name) => ({ where: "body", name, batch }));
}

function namesIn(schemas: Record<string, Schema>, schema: Schema, prefix: string): string[] {
  return Object.entries(resolve(schemas, schema).properties ?? {}).flatMap(([name, inner]) => {
    const nested = namesIn(schemas, inner, `${prefix}${name}.`);
    return nested.length > 0 ? nested : [prefix + name];
  });
}

function resolve(schemas: Record<string, Schema>, schema: Schema): Schema {
  const reference = schema.$ref ?? schema.anyOf?.find((one) => one.$ref)?.$ref;
  return reference ? (schemas[reference.split("/").at(-1) as string] as Schema) : schema;
}
