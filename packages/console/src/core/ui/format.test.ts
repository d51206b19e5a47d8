import { describe, expect, it } from "vitest";
import { indentJson } from "./format.js";

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
