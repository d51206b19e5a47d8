import { escapeHtml } from "./layout.js";

export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
}

export type Schemas = Record<string, Schema>;

/** The fields of an object and its nested objects, by path. */
export function schemaTable(schema: Schema, schemas: Schemas): string {
  const rows = fieldsOf(schema, schemas, "", 0);
  if (rows.length === 0) return "";
  return `<div class="wide" tabindex="0"><table><thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Rules</th></tr></thead><tbody>${rows.join("")}</tbody></table></div>\n`;
}

/** Deeper than any schema of the contract. */
const maxDepth = 4;

function fieldsOf(given: Schema, schemas: Schemas, path: string, depth: number): string[] {
  const schema = resolve(given, schemas);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const own = resolve(field, schemas);
    const item = own.items && resolve(own.items, schemas);
    const isRequired = schema.required?.includes(name) ?? false;
    const rules = [isRequired ? "required" : "", ...rulesOf(own), own.description ?? ""].filter(Boolean);
    const row = `<tr><td><code>${escapeHtml(path + name)}</code></td><td>${escapeHtml(typeOf(own))}</td><td>${escapeHtml(rules.join("; "))}</td></tr>`;
    const inner = item ?? own;
    const inside = item ? `${path}${name}[].` : `${path}${name}.`;
    return [row, ...(depth < maxDepth ? fieldsOf(inner, schemas, inside, depth + 1) : [])];
  });
}

/** A choice between a type and null is shown as that type. */
export function resolve(schema: Schema, schemas: Schemas): Schema {
  if (schema.$ref !== undefined) return { ...schemas[schema.$ref.split("/").at(-1) as string], ...schema };
  const choice = schema.type === undefined && schema.anyOf?.find(({ type }) => type !== "null");
  return choice ? { ...resolve(choice, schemas), ...schema } : schema;
}

export function typeOf({ type, format, enum: values, items }: Schema): string {
  if (values) return values.map(String).join(", ");
  const names = [type ?? "any"].flat().map((name) => (name === "array" && items ? "array" : name));
  return [names.join(" or "), format].filter(Boolean).join(", ");
}

function rulesOf({ minimum, maximum, maxLength, minItems, maxItems, default: preset }: Schema): string[] {
  const rules: [string, unknown][] = [
    ["at least", minimum],
    ["at most", maximum],
    ["at most (characters)", maxLength],
    ["at least (items)", minItems],
    ["at most (items)", maxItems],
    ["default", preset],
  ];
  return rules.flatMap(([words, value]) =>
    value === undefined ? [] : [`${words} ${JSON.stringify(value)}`],
  );
}
