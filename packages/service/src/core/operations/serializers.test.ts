import { expect, test } from "vitest";
import { buildSerializer } from "./serializers.js";

const route = (schema: object, url = "/one") => ({ method: "GET", url, httpStatus: "200", schema });
const text = { type: "object", properties: { value: { type: "string" } } };

test("answers of one shape share what writes them, on whatever route and in whatever app", () => {
  const compile = buildSerializer({}, {});
  const first = compile(route(text));
  expect(compile(route(structuredClone(text), "/other"))).toBe(first);
  expect(buildSerializer({}, {})(route(text))).toBe(first);
  expect(first({ value: "x", other: "y" })).toBe('{"value":"x"}');
});

test("another shape, or another meaning of what it refers to, is written in its own way", () => {
  const reference = { $ref: "Value#" };
  const withValue = (type: string) =>
    buildSerializer({ Value: { $id: "Value", type: "object", properties: { value: { type } } } }, {});
  const asText = withValue("string")(route(reference));
  const asNumber = withValue("integer")(route(reference));
  expect(asText({ value: 7 })).toBe('{"value":"7"}');
  expect(asNumber({ value: 7 })).toBe('{"value":7}');
  expect(buildSerializer({}, {})(route({ type: "string" }))("x")).toBe('"x"');
});
