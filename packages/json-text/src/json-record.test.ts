import { expect, test } from "vitest";
import fc from "../../../testing/properties.js";
import { readRecord } from "./read-record.js";
import { scanValue } from "./scan.js";

/** Conflicting names: as members, in nested objects, as values, with escapes, and twice in one object. */
const name = fc.constantFrom(
  '"metadata"',
  '"vehicle"',
  '"meta\\u0064ata"',
  '"x"',
  '"metadata "',
  '"\\"metadata\\""',
);
const space = fc.constantFrom("", " ", "\n\t");
const scalar = fc.oneof(
  name,
  fc.constantFrom("1", "1.50", "null", "true", '"a:b"', "[]", "{}", '["metadata"]'),
);
const object = (value: fc.Arbitrary<string>) =>
  fc
    .array(fc.tuple(space, name, space, space, value, space), { maxLength: 4 })
    .map(
      (members) =>
        `{${members.map(([a, key, b, c, inner, d]) => `${a}${key}${b}:${c}${inner}${d}`).join(",")}}`,
    );
const record = object(fc.oneof(scalar, object(fc.oneof(scalar, object(scalar)))));

/** @covers reading 28 */
test("the text of a member with a duplicate name is that of the member that JSON.parse returns", () => {
  fc.assert(
    fc.property(record, fc.constantFrom(["metadata"], ["vehicle"], ["vehicle", "metadata"]), (text, path) => {
      const parsed = JSON.parse(text) as Record<string, unknown>;
      const outer = parsed[path[0] as string];
      const isWithin =
        path.length === 1 || (typeof outer === "object" && outer !== null && !Array.isArray(outer));
      const value =
        path.length === 1 ? outer : isWithin ? (outer as Record<string, unknown>)["metadata"] : undefined;
      const found = readRecord(text, scanValue(text, 0), 64).textAt(path);
      expect(found === undefined ? undefined : JSON.parse(found)).toEqual(value);
    }),
    { numRuns: 5_000 },
  );
});

test("spaces within a member's text are kept", () => {
  const text = '{ "metadata" :\n { "a" : 1.0 } , "other": 2 }';
  expect(readRecord(text, scanValue(text, 0), 64).textAt(["metadata"])).toBe('{ "a" : 1.0 }');
});
