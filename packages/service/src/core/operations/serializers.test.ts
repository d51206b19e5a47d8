import { expect, test } from "vitest";
import { buildSerializer } from "./serializers.js";

const route = (schema: object, url = "/one") => ({ method: "GET", url, httpStatus: "200", schema });
const text = { type: "object", properties: { value: { type: "string" } } };

test("answers with the same schema share one serializer across routes and apps", () => {
  const compile = buildSerializer({}, {});
  const first = compile(route(text));
  expect(compile(route(structuredClone(text), "/other"))).toBe(first);
  expect(buildSerializer({}, {})(route(text))).toBe(first);
  expect(first({ value: "x", other: "y" })).toBe('{"value":"x"}');
});

test("another schema, or another referenced schema, has another serializer", () => {
  const reference = { $ref: "Value#" };
  const withValue = (type: string) =>
    buildSerializer({ Value: { $id: "Value", type: "object", properties: { value: { type } } } }, {});
  const asText = withValue("string")(route(reference));
  const asNumber = withValue("integer")(route(reference));
  expect(asText({ value: 7 })).toBe('{"value":"7"}');
  expect(asNumber({ value: 7 })).toBe('{"value":7}');
  expect(buildSerializer({}, {})(route({ type: "string" }))("x")).toBe('"x"');
});
