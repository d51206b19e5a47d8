import { expect, test } from "vitest";
import { UserError } from "../refusals/user-error.js";
import { accountKeys, checkEmail, isPlainEmail } from "./account-email.js";

test("addresses are compared without case, surrounding spaces and Unicode composition", () => {
  expect(accountKeys(" Kate@Example.COM ")).toEqual(["kate@example.com"]);
  const composed = accountKeys("Ren\u00c9@example.com");
  expect(composed).toEqual(["ren\u00e9@example.com", "rene\u0301@example.com"]);
  expect(accountKeys("RENE\u0301@example.com").toSorted()).toEqual(composed.toSorted());
  expect(checkEmail(" Rene\u0301@example.com ")).toBe("Ren\u00e9@example.com");
});

test.each([
  "\u212aate@example.com",
  "\uff4bate@example.com",
  "kate@example.com\n",
  "kate@example.com\u00a0",
  "\ufeffkate@example.com",
  "ka\u017fe@example.com",
  "kate@example.com\u0000",
])("%j matches no account and cannot be used for a new one", (email) => {
  expect(isPlainEmail(email)).toBe(false);
  expect(accountKeys(email)).not.toContain("kate@example.com");
  expect(() => checkEmail(email)).toThrow(UserError);
});

test("an account that an earlier release stored with such an address is found only by that address", () => {
  expect(accountKeys("\uff2bate@example.com")).toEqual(["\uff4bate@example.com"]);
  expect(accountKeys("ka\u200bte@example.com")).toEqual(["ka\u200bte@example.com"]);
});
