import type { Static, TSchema, TUnsafe } from "typebox";
import { Type } from "./type.js";
import { wireTimestamp } from "./answers.js";
import type { FieldSchema } from "./fields.js";

/** JSON is returned as its exact text. */
type Shown<Value> = Value extends Record<string, unknown> ? string : Value;
type ShownFields<Properties> = {
  -readonly [name in keyof Properties]: Properties[name] extends TSchema
    ? TUnsafe<Shown<Static<Properties[name]>>>
    : never;
};

/** The stored fields in responses: all of them, without the input limits. */
export function shownFields<Properties extends object>({
  properties,
}: {
  properties: Properties;
}): ShownFields<Properties> {
  return Object.fromEntries(
    Object.entries(properties as Record<string, FieldSchema>).map(([name, field]) => [name, shown(field)]),
  ) as ShownFields<Properties>;
}

function shown(field: FieldSchema & { description?: string; examples?: unknown[]; default?: unknown }) {
  const types = [field.type].flat();
  const { description, examples } = field;
  const isTime = field.format === "timestamp" || field.format === "date-or-timestamp";
  const schema = isTime
    ? wireTimestamp()
    : {
        type: types.includes("object") ? "string" : types.find((type) => type !== "null"),
        ...(field.format === "uuid" && { format: "uuid" }),
        ...(description !== undefined && { description }),
        ...(examples && { examples }),
        ...(types.includes("object") && { "x-json": true }),
      };
  return types.includes("null") ? Type.Union([schema, Type.Null()]) : schema;
}
