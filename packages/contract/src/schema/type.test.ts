import * as library from "typebox";
import { expect, test } from "vitest";
import { Type } from "./type.js";

type Constructors = typeof Type;

/** Every constructor, with and without options. */
const examples: Record<keyof Constructors, (types: Constructors) => unknown[]> = {
  Array: ({ Array, String }) => [Array(String()), Array(String(), { maxItems: 3 })],
  Boolean: ({ Boolean }) => [Boolean(), Boolean({ default: true })],
  Integer: ({ Integer }) => [Integer(), Integer({ minimum: 1 })],
  Literal: ({ Literal }) => [Literal("one"), Literal(1), Literal(false), Literal("one", { title: "One" })],
  Null: ({ Null }) => [Null(), Null({ title: "Nothing" })],
  Number: ({ Number }) => [Number(), Number({ maximum: 1.5 })],
  Object: ({ Object, Optional, String }) => [
    Object({}),
    Object({ needed: String(), other: Optional(String()) }, { $id: "Both", additionalProperties: false }),
    Object({ other: Optional(String({ maxLength: 2 })) }),
  ],
  Optional: ({ Object, Optional, String }) => [
    Optional(String({ maxLength: 2 })),
    Object({ twice: Optional(Optional(String())) }),
  ],
  Partial: ({ Object, Optional, Partial, String }) => [
    Partial(
      Object({ needed: String(), other: Optional(String()) }, { $id: "Both", additionalProperties: false }),
    ),
    Object({ inner: Partial(Object({ needed: String() })) }),
  ],
  Record: ({ Record, String, Number }) => [
    Record(String(), Number()),
    Record(String(), Number(), { description: "Counts" }),
  ],
  Ref: ({ Ref }) => [Ref("Other"), Ref("Other", { description: "Elsewhere" })],
  String: ({ String }) => [String(), String({ format: "uuid", examples: ["x"] })],
  Union: ({ Union, String, Null }) => [
    Union([String(), Null()]),
    Union([String(), Null()], { title: "Perhaps" }),
  ],
  Unsafe: ({ Object, Optional, Unsafe }) => [
    Unsafe({ type: ["string", "null"], maxLength: 3 }),
    Object({ needed: Unsafe({ type: "string" }), other: Optional(Unsafe({ type: "string" })) }),
  ],
  Void: ({ Void }) => [Void(), Void({ description: "204" })],
};

test.each(Object.keys(Type) as (keyof Constructors)[])(
  "Type.%s builds the same schema as TypeBox",
  (name) => {
    const ours = examples[name](Type);
    const theirs = examples[name](library.Type);
    expect(JSON.stringify(ours)).toBe(JSON.stringify(theirs));
  },
);
