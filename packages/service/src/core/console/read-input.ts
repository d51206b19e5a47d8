import { compileRecordCheck, isObject, type RecordCheck } from "@gatehouse-parking/contract";
import {
  consoleOperations,
  maxFormBytes,
  pathParameters,
  type ConsoleOperation,
  type ConsoleOperationName,
} from "@gatehouse-parking/contract/console";
import type { FastifyRequest } from "fastify";
import { readObject, readText } from "../json/read-body.js";
import { MalformedJson } from "@gatehouse-parking/json-text";
import { jsonBytes } from "../operations/body.js";
import { clamp } from "../operations/paging.js";
import { Refused } from "../refusals/refused.js";
import { UserError } from "../refusals/user-error.js";

/** Reads the inputs of a request by the schemas of its operation. Undeclared fields are dropped. */
export interface Input {
  params: Fields;
  query: Fields;
  body: Fields;
}
type Fields = Record<string, unknown>;

interface FieldSchema {
  type?: string;
  format?: string;
  minimum: number;
  maximum: number;
  default: number;
  "x-clamped"?: true;
}
interface FormSchema {
  properties: Record<string, FieldSchema>;
}

export type InputReader = (request: FastifyRequest) => Promise<Input>;

/** Created once per operation, at registration. */
export function inputReader(name: ConsoleOperationName): InputReader {
  const operation: ConsoleOperation = consoleOperations[name];
  return declaredInputReader(operation, (operation.maxBytes ?? maxFormBytes) > maxFormBytes);
}

/** The same for other operations whose query and body are declared by schemas. */
export function declaredInputReader(
  declared: Pick<ConsoleOperation, "query" | "body">,
  isLarge: boolean,
): InputReader {
  const query = declared.query && formReader(declared.query);
  const body = declared.body && formReader(declared.body);
  const isReadInSteps = isLarge && isFlat(body?.schema);
  return async (request) => ({
    params: readParameters(request),
    query: query ? query.read(typedQuery(query.schema, request.query as Fields)) : {},
    body: body ? body.read(await parseBody(request, body.schema, isReadInSteps)) : {},
  });
}

/** Path parameters. An invalid identifier or an unknown word gets 404. */
export function readParameters(request: FastifyRequest): Fields {
  const values = Object.entries(request.params as Record<string, string>);
  const params = Object.fromEntries(
    values.map(([name, value]) => [name, canonical(parameters.schema, name, value)]),
  );
  if (parameters.check(params).length > 0) throw new UserError("notFound");
  return params;
}

const parameters = formReader({ properties: pathParameters });

function formReader(declared: object) {
  const schema = declared as FormSchema;
  const check: RecordCheck = compileRecordCheck(schema, { uuidFormat: "checked", of: "forms" });
  const read = (given: Fields): Fields => {
    const problems = check(given);
    // All problems at once, so that a form can show each beside its field.
    if (problems.length > 0)
      throw new UserError(
        "invalid",
        problems.map(({ message }) => message),
      );
    return named(schema, given);
  };
  return { schema, check, read };
}

/** The declared fields that were given. Null is kept only where the schema allows it. */
function named(schema: FormSchema, given: Fields): Fields {
  const fields: Fields = {};
  for (const [name, field] of Object.entries(schema.properties)) {
    const value = given[name];
    if (value === undefined || (value === null && !takesNull(field))) continue;
    const inner = field as Partial<FormSchema>;
    fields[name] = inner.properties && isObject(value) ? named(inner as FormSchema, value) : value;
  }
  return fields;
}

function takesNull({ type }: { type?: string | readonly string[] }): boolean {
  return Array.isArray(type) && type.includes("null");
}

/** Converts query texts to values of the schema's types. Of several values of one name, the last counts. */
function typedQuery(schema: FormSchema, given: Fields): Fields {
  const typed: Fields = {};
  for (const [name, field] of Object.entries(schema.properties)) {
    const text = Object.hasOwn(given, name) ? [given[name]].flat().at(-1) : undefined;
    if (field["x-clamped"]) typed[name] = clamp(text, field.minimum, field.maximum, field.default);
    else if (typeof text === "string" && text !== "") typed[name] = canonical(schema, name, text);
  }
  return typed;
}

/** Normalizes the spelling of identifiers, and converts numeric texts to numbers. */
function canonical({ properties }: FormSchema, name: string, text: string): unknown {
  const field = properties[name];
  if (field?.format === "uuid") return text.toLowerCase();
  return field?.type === "integer" && String(Number(text)) === text ? Number(text) : text;
}

/** Reading in steps builds no lists and no objects within objects. Bodies with such fields are small enough to parse at once. */
function isFlat(schema: FormSchema | undefined): boolean {
  return Object.values(schema?.properties ?? {}).every(({ type }) => type !== "array" && type !== "object");
}

/** Reads a body of megabytes in steps, so that other requests are not blocked, and builds only its declared fields. */
async function parseBody(request: FastifyRequest, schema: FormSchema, isLarge: boolean): Promise<Fields> {
  const bytes = jsonBytes(request);
  try {
    const value: unknown = isLarge
      ? (await readObject(readText(bytes), new Set(Object.keys(schema.properties)))).value
      : JSON.parse(bytes.toString("utf8"));
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof MalformedJson)) throw error;
    throw new Refused("bodyMalformed", { details: ["The body is not valid JSON"] });
  }
  throw new UserError("invalid", ["The body must be a JSON object"]);
}
