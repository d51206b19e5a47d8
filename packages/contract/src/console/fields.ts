import type { Static, TSchema } from "typebox";
import type { FieldSchema } from "../schema/fields.js";
import { Type } from "../schema/type.js";

/** Kinds of field that only the console's interface has. They are plain JSON Schema, like those in ../schema/fields.ts. */

/** One of a few words. It has no `type`, so that the error for any wrong value lists the accepted words. */
export const word = <const T extends readonly string[]>(words: T, description?: string) =>
  Type.Unsafe<T[number]>({ enum: [...words], ...described(description) });

export const oneOfNumbers = <const T extends readonly number[]>(numbers: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: "integer", enum: [...numbers], ...described(description) });

/** Text that the code that stores it checks, with its own error message. */
export const typed = (description?: string) =>
  Type.Unsafe<string>({ type: "string", ...described(description) });

/** A two-factor authentication code. */
export const oneTimeCode = () =>
  typed("A code of the person's authenticator app, or a recovery code. Each works once; spaces are ignored.");

/** The fields of an entity in a form. The code that stores them checks texts. */
export function typedFields<Schema extends TSchema>(schema: Schema): Schema {
  const { properties, required = [] } = schema as unknown as {
    properties: Record<string, TSchema & FieldSchema & { description?: string }>;
    required?: string[];
  };
  const fields = Object.entries(properties).map(([name, field]) => {
    if (![field.type].flat().includes("string")) return [name, field];
    const text = Type.Unsafe({ type: field.type, ...described(field.description) });
    return [name, required.includes(name) ? text : Type.Optional(text)];
  });
  return Type.Object(Object.fromEntries(fields)) as unknown as Schema;
}

export const typedList = (description?: string) => Type.Array(Type.String(), described(description));

/** Null switches the setting off; an absent field does not change it. */
export const clearable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: unknown }).type, "null"] });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const count = (description?: string) => Type.Integer({ minimum: 0, ...described(description) });

/** A decimal as text, without loss of precision: "12.50". */
export const decimal = (description?: string) =>
  Type.Unsafe<string>({ type: "string", examples: ["12.50"], ...described(description) });

/** Numbers keep their original digits. Never insert it into a page as markup. */
export const exactJson = () =>
  Type.Unsafe<string>({
    type: "string",
    description: "JSON exactly as a partner sent it, as text.",
    "x-json": true,
  });

export const localDate = (description?: string) =>
  Type.Unsafe<string>({
    type: "string",
    format: "local-date",
    examples: ["2026-04-01"],
    ...described(description),
  });

/** A timestamp in a request. */
export const moment = (description?: string) =>
  Type.Unsafe<string>({
    type: "string",
    format: "moment",
    examples: ["2026-04-01T14:30:00Z"],
    ...described(description),
  });

/** Identifies the version of something editable, as it is shown. */
export const version = () =>
  Type.Unsafe<string>({ type: "string", description: "Send it back with a change." });

/** The version that was edited. */
export const editedVersion = () =>
  Type.Optional(
    Type.Unsafe<string>({
      type: "string",
      description: "The version that was edited. 409 if the stored version differs. Absent: any version.",
    }),
  );

const maxSearchedCharacters = 400;
export const searchedText = (description?: string) =>
  Type.Unsafe<string>({ type: "string", maxLength: maxSearchedCharacters, ...described(description) });

/** A number out of range is clamped; a value that is not a number counts as absent. */
export const clamped = (range: { minimum: number; maximum: number; default: number }) =>
  Type.Unsafe<number>({
    type: "integer",
    ...range,
    "x-clamped": true,
    description: "Values out of range are clamped.",
  });

/** The response is a file of one of these types, sent as an attachment: open its address in a link. */
export const download = (...mediaTypes: readonly string[]) =>
  Type.Unsafe<string>({ type: "string", "x-media-types": mediaTypes });

export function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}
