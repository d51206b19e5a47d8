import * as contract from "@gatehouse-parking/contract";

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  anyOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  patternProperties?: Record<string, Schema>;
  "x-media-types"?: readonly string[];
}

/** Where an answer differs from its schema, including fields that the schema does not have. */
export function schemaProblems(declared: object, value: unknown, path = "answer"): string[] {
  const schema = declared as Schema;
  // Files have no schema.
  if (schema["x-media-types"]) return [];
  if (schema.$ref !== undefined) return schemaProblems(schemaNamed(schema.$ref), value, path);
  if (schema.anyOf) {
    const each = schema.anyOf.map((one) => schemaProblems(one, value, path));
    return each.some((found) => found.length === 0) ? [] : (each.at(0) ?? []);
  }
  if (schema.enum) return schema.enum.includes(value) ? [] : [`${path} is ${JSON.stringify(value)}`];
  if ("const" in schema) return schema.const === value ? [] : [`${path} is ${JSON.stringify(value)}`];
  if (!fitsType([schema.type].flat(), value)) return [`${path} is no ${String(schema.type)}`];
  if (Array.isArray(value))
    return value.flatMap((item, index) => schemaProblems(schema.items ?? {}, item, `${path}[${index}]`));
  return typeof value === "object" && value !== null
    ? schemaProblemsOfObject(schema, value as Record<string, unknown>, path)
    : [];
}

function schemaProblemsOfObject(schema: Schema, value: Record<string, unknown>, path: string): string[] {
  const { properties, required = [], patternProperties } = schema;
  const [anyName] = Object.values(patternProperties ?? {});
  const missing = required
    .filter((name) => value[name] === undefined)
    .map((name) => `${path}.${name} is missing`);
  if (!properties && !anyName) return missing;
  return [
    ...missing,
    ...Object.entries(value).flatMap(([name, inner]) => {
      const field = properties?.[name] ?? anyName;
      return field ? schemaProblems(field, inner, `${path}.${name}`) : [`${path}.${name} is not declared`];
    }),
  ];
}

function fitsType(types: readonly (string | undefined)[], value: unknown): boolean {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return types.some(
    (wanted) => wanted === undefined || wanted === type || (wanted === "integer" && Number.isInteger(value)),
  );
}

function schemaNamed(name: string): Schema {
  return Object.values(contract).find((value) => (value as { $id?: string }).$id === name) as Schema;
}
