import type { TSchema, Type as TypeBox } from "typebox";

/**
 * The TypeBox constructors that the contract uses, with TypeBox's types. They build plain JSON Schema in a few lines;
 * loading the library's 370 files took half the startup time of a command.
 */
type Constructors = Pick<
  typeof TypeBox,
  | "Array"
  | "Boolean"
  | "Integer"
  | "Literal"
  | "Null"
  | "Number"
  | "Object"
  | "Optional"
  | "Partial"
  | "Record"
  | "Ref"
  | "String"
  | "Union"
  | "Unsafe"
  | "Void"
>;
type Options = object;
type Properties = Record<string, TSchema>;

/** Marks a schema without being part of its JSON. */
const optionalMark = "~optional";
const optional = (schema: Options) =>
  Object.defineProperty({ ...schema }, optionalMark, { value: true }) as TSchema;

const ofType = (type: string) => (options?: Options) => ({ type, ...options });

function object(properties: Properties, options?: Options) {
  const required = Object.keys(properties).filter((name) => !(optionalMark in (properties[name] as TSchema)));
  return { type: "object", ...(required.length > 0 && { required }), properties, ...options };
}

function partial({ properties }: { properties: Properties }, options?: Options) {
  const all = Object.entries(properties).map(([name, schema]) => [name, optional(schema)]);
  return object(Object.fromEntries(all), options);
}

const constructors = {
  Array: (items: Options, options?: Options) => ({ type: "array", items, ...options }),
  Boolean: ofType("boolean"),
  Integer: ofType("integer"),
  Literal: (value: unknown, options?: Options) => ({ type: typeof value, const: value, ...options }),
  Null: ofType("null"),
  Number: ofType("number"),
  Object: object,
  Optional: optional,
  Partial: partial,
  Record: (_name: Options, value: Options, options?: Options) => ({
    type: "object",
    patternProperties: { "^.*$": value },
    ...options,
  }),
  Ref: ($ref: string, options?: Options) => ({ $ref, ...options }),
  String: ofType("string"),
  Union: (anyOf: Options[], options?: Options) => ({ anyOf, ...options }),
  Unsafe: (schema: Options) => ({ ...schema }),
  Void: ofType("void"),
} satisfies Record<keyof Constructors, unknown>;

// The types come from the library; type.test.ts checks that the schemas are equal.
export const Type = constructors as unknown as Constructors;
