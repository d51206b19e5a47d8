import { describe, expect, it } from "vitest";
import { formatRate, indentJson } from "./format.js";

it("a rate limit is shown in the largest unit that divides its window", () => {
  expect(formatRate(600, 60)).toBe("600 requests per minute");
  expect(formatRate(1, 1)).toBe("1 request per second");
  expect(formatRate(1000, 300)).toBe("1,000 requests in 5 minutes");
  expect(formatRate(30, 90)).toBe("30 requests in 90 seconds");
  expect(formatRate(2, 86_400)).toBe("2 requests per day");
});

describe("indenting JSON text", () => {
  it("agrees with JSON.stringify on what a parsed value can hold", () => {
    for (const value of [
      {},
      [],
      { a: [] },
      { a: { b: [1, "x", null, true] }, c: {} },
      "text",
      12.5,
      ['q"{}[],:'],
    ]) {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
    }
  });

  it("keeps numbers, escapes and repeated keys as they were sent", () => {
    const sent = String.raw`{"n":12345678901234567890.10,"e":1E400,"n":"\u0000\ud800 \"}\\"}`;
    const shown = indentJson(sent);
    expect(shown.replaceAll(/\n\s*/g, "").replaceAll('": ', '":')).toBe(sent);
    expect(shown).toContain('"n": 12345678901234567890.10');
  });
});
