import { expect, test } from "vitest";
import { fromBase32 } from "../../../testing/second-factor.js";
import { codeOfStep, matchingStep, stepAt, toBase32, totpAddress } from "./totp.js";

const secret = Buffer.from("12345678901234567890");

test.each([
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
])("at %d seconds the code is that of RFC 6238, in six digits: %s", (seconds, code) => {
  expect(codeOfStep(secret, stepAt(seconds * 1_000))).toBe(code);
});

test("a clock may be one step ahead or behind, and no more", () => {
  const nowMs = 1_800_000_000_000;
  const now = stepAt(nowMs);
  for (const off of [-1, 0, 1])
    expect(matchingStep(secret, codeOfStep(secret, now + off), nowMs)).toBe(now + off);
  for (const off of [-2, 2])
    expect(matchingStep(secret, codeOfStep(secret, now + off), nowMs)).toBeUndefined();
});

test.each(["", "12345", "1234567", "12345a", "１２３４５６", "-12345", " 12345"])(
  "%j is not a code",
  (text) => {
    expect(matchingStep(secret, text, 59_000)).toBeUndefined();
  },
);

test("secrets are encoded as apps read them", () => {
  expect(toBase32(secret)).toBe("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  expect(fromBase32(toBase32(secret))).toEqual(secret);
  expect(toBase32(Buffer.alloc(5, 0xff))).toBe("77777777");
  expect(totpAddress(secret, "jo+o'neil@example.com")).toBe(
    "otpauth://totp/Gatehouse:jo%2Bo'neil%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Gatehouse",
  );
});
