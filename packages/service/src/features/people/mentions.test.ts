import { expect, test } from "vitest";
import { mentionsInText } from "./mentions.js";

const smith = { organizationId: "", email: "smith@x.test", phone: undefined };

test.each([
  "smith@x.test",
  "SMITH@X.TEST",
  "请联系smith@x.test谢谢",
  "ติดต่อที่smith@x.test",
  "Ask 'smith@x.test'. She knows",
  "**smith@x.test**",
  "mailto:smith@x.test?subject=Hi",
  "https://example.com/?to=smith@x.test&from=jo",
  "https://example.com/%3Fto%3Dsmith%40x.test",
  "smith@x.test2026.csv",
  "smith@x.test2026",
  "smith@x.test.2026-11.csv",
  "smith@x.test-Jo",
  "smith@x.test.csv",
  "to_smith@x.test.csv",
  "to-smith@x.test.final (2).xlsx",
  "to_smith@x.test_2026",
  "jo.smith@x.test, smith@x.test",
])("the address of a person is found in %s", (text) => {
  expect(mentionsInText(smith, text)).toBe(true);
});

test.each([
  "jo.smith@x.test",
  "x_smith@x.test",
  "jo+smith@x.test",
  "jo-smith@x.test",
  "o'smith@x.test",
  "blacksmith@x.test",
  "ésmith@x.test",
  "e\u0301smith@x.test",
  "smith@x.test.au",
  "smith@x.tests",
  "smith@x.test2.com",
  "smith@x.test-park.com",
  "smith@x.tests.csv",
  "blacksmith@x.test.csv",
  "Write to jo.smith@x.test. Not later.",
])("the address of a person is not found in %s", (text) => {
  expect(mentionsInText(smith, text)).toBe(false);
});
