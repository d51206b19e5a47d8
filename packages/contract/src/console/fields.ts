import type { Static, TSchema } from "typebox";
import type { FieldSchema } from "../schema/fields.js";
import { Type } from "../schema/type.js";

/** Kinds of field that only the console's interface has. They are plain JSON Schema, as those in ../schema/fields.ts. */

/** One of a few words. Without a type, so that whatever is none of them is told which they are. */
export const word = <const T extends readonly string[]>(words: T, description?: string) =>
  Type.Unsafe<T[number]>({ enum: [...words], ...described(description) });

export const oneOfNumbers = <const T extends readonly number[]>(numbers: T, description?: string) =>
  Type.Unsafe<T[number]>({ type: "integer", enum: [...numbers], ...described(description) });

/** Text that is judged by whoever stores it, which says in its own words what is wrong. */
export const typed = (description?: string) =>
  Type.Unsafe<string>({ type: "string", ...described(description) });

/** A code that proves a second factor. */
export const oneTimeCode = () =>
  typed("Of the person's authenticator app, or a recovery code. Each is taken once; spaces do not count.");

/** The fields of an entity in a form. Texts are judged by whoever stores them. */
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

/** Null is a value of its own and switches something off; a field that is absent stays as it is. */
export const clearable = <T extends TSchema>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [(schema as { type?: unknown }).type, "null"] });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const count = (description?: string) => Type.Integer({ minimum: 0, ...described(description) });

/** A decimal without loss, as text: "12.50". */
export const decimal = (description?: string) =>
  Type.Unsafe<string>({ type: "string", examples: ["12.50"], ...described(description) });

/** Numbers of any precision keep their spelling. Never put it into a page as markup. */
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

/** A point in time that somebody asks for. */
export const moment = (description?: string) =>
  Type.Unsafe<string>({
    type: "string",
    format: "moment",
    examples: ["2026-04-01T14:30:00Z"],
    ...described(description),
  });

/** Names the state of something that can be edited, as it is shown. */
export const version = () =>
  Type.Unsafe<string>({ type: "string", description: "Goes along with changes of what was shown." });

/** Which state was edited. */
export const editedVersion = () =>
  Type.Optional(
    Type.Unsafe<string>({
      type: "string",
      description: "The version that was edited: if it is not the stored one any more, 409. Absent: any.",
    }),
  );

const maxSearchedCharacters = 400;
export const searchedText = (description?: string) =>
  Type.Unsafe<string>({ type: "string", maxLength: maxSearchedCharacters, ...described(description) });

/** A number out of range counts as the nearest one in it; what is no number counts as absent. */
export const clamped = (range: { minimum: number; maximum: number; default: number }) =>
  Type.Unsafe<number>({
    type: "integer",
    ...range,
    "x-clamped": true,
    description: "Out of range, the nearest number in it counts.",
  });

/** The answer is a file of one of these types, sent as an attachment: open its address in a link. */
export const download = (...mediaTypes: readonly string[]) =>
  Type.Unsafe<string>({ type: "string", "x-media-types": mediaTypes });

export function described(description: string | undefined): { description?: string } {
  return description === undefined ? {} : { description };
}
