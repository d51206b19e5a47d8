import type { TOptional, TSchema, TUnsafe } from "typebox";
import { Type } from "./type.js";

/**
 * Builders for the kinds of field. They return plain JSON Schema, which serves as the OpenAPI document, as the
 * TypeScript type and as the input of the record checker.
 *
 * An optional field can be null, which means "not given". Amounts are the exception.
 */

interface FieldOptions {
  description?: string;
  examples?: unknown[];
  default?: unknown;
}

/**
 * Formats beyond JSON Schema: `timestamp` needs a time and a zone; `date-or-timestamp` also accepts a date alone. A
 * `moment` and a `local-date` are search parameters, so their years are bounded.
 */
export type FieldFormat =
  | "uuid"
  | "timestamp"
  | "date-or-timestamp"
  | "moment"
  | "local-date"
  | "email"
  | "phone"
  | "lead-phone"
  | "license-plate"
  | "time-zone";

/** Holds the names of an enumeration's values for tools; not part of the published schema. */
export const enumNames = Symbol("enum names");

export interface FieldSchema {
  type: string | readonly string[];
  maxLength?: number;
  format?: FieldFormat | "date-time";
  enum?: readonly (string | number | null)[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  [enumNames]?: Readonly<Record<string, number>>;
}

export const text = (maxLength: number, options: FieldOptions = {}) =>
  Type.Unsafe<string>({ type: "string", maxLength, ...options });
/** A required text; blank counts as missing. */
export const requiredText = (maxLength: number, options: FieldOptions = {}) =>
  Type.Unsafe<string>({ type: "string", minLength: 1, pattern: String.raw`\S`, maxLength, ...options });
export const uuid = (options: FieldOptions = {}) =>
  Type.Unsafe<string>({ type: "string", format: "uuid", ...options });
export const timestamp = (options: FieldOptions = {}) =>
  Type.Unsafe<string>({
    type: "string",
    format: "timestamp",
    examples: ["2026-04-01T14:30:00.000Z"],
    ...options,
  });
export const dateOrTimestamp = (options: FieldOptions = {}) =>
  Type.Unsafe<string>({ type: "string", format: "date-or-timestamp", examples: ["2026-04-01"], ...options });
export const email = (maxLength: number, options: FieldOptions = {}) =>
  Type.Unsafe<string>({ type: "string", maxLength, format: "email", ...options });
export const phone = (maxLength: number, options: FieldOptions = {}) =>
  Type.Unsafe<string>({ type: "string", maxLength, format: "phone", ...options });
export const leadPhone = (maxLength: number, options: FieldOptions = {}) =>
  Type.Unsafe<string>({ type: "string", maxLength, format: "lead-phone", ...options });
export const licensePlate = (maxLength: number, options: FieldOptions = {}) =>
  Type.Unsafe<string>({ type: "string", maxLength, format: "license-plate", ...options });
export const timeZone = (options: FieldOptions = {}) =>
  Type.Unsafe<string>({ type: "string", format: "time-zone", ...options });
export const flag = (options: FieldOptions = {}) => Type.Unsafe<boolean>({ type: "boolean", ...options });
export const integer = (options: FieldOptions & { minimum?: number; maximum?: number } = {}) =>
  Type.Unsafe<number>({ type: "integer", ...options });
export const metadata = (options: FieldOptions = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true, ...options });

/** The metadata of a record: any data that the partner wants to store with it. */
export const anyMetadata = () =>
  optional(
    metadata({
      description: "Arbitrary JSON, up to 64 levels deep. Stored and returned exactly as sent.",
    }),
  );

export function enumInteger<T extends Record<string, number>>(values: T, options: FieldOptions = {}) {
  const legend = Object.entries(values)
    .map(([name, value]) => `${value} ${name}`)
    .join(", ");
  const description = options.description ? `${options.description} ${legend}.` : `${legend}.`;
  return Type.Unsafe<T[keyof T]>({
    type: "integer",
    enum: Object.values(values),
    ...options,
    description,
    [enumNames]: values,
  } as TSchema);
}

export function enumText<const T extends readonly string[]>(
  values: T,
  maxLength?: number,
  options: FieldOptions = {},
) {
  return Type.Unsafe<T[number]>({
    type: "string",
    enum: [...values],
    ...(maxLength === undefined ? {} : { maxLength }),
    ...options,
  });
}

export function optional<T>(schema: TUnsafe<T>): TOptional<TUnsafe<T | null>> {
  const field = schema as unknown as FieldSchema;
  return Type.Optional(
    Type.Unsafe<T | null>({
      ...schema,
      type: [field.type, "null"],
      ...(field.enum ? { enum: [...field.enum, null] } : {}),
    } as TSchema),
  );
}
