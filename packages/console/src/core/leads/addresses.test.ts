import { expect, test } from "vitest";
import { mailAddress, phoneAddress } from "./addresses.js";

test("an email address becomes a mailto link that nothing can be added to", () => {
  expect(mailAddress(" jo@example.com ", "Your request: Deck & Co?")).toBe(
    "mailto:jo@example.com?subject=Your%20request%3A%20Deck%20%26%20Co%3F",
  );
  expect(mailAddress("a?bcc=b%0d&c@example.com", "x")).toBe(
    "mailto:a%3Fbcc%3Db%250d%26c@example.com?subject=x",
  );
  for (const text of ["", "jo", "jo@example.com?bcc=x@example.com", "jo@example.com,x@example.com"])
    expect(mailAddress(text, "x"), text).toBeUndefined();
  expect(mailAddress("jo@example.com", "a\r\nBcc: x@example.com")).not.toMatch(/[\r\n]/);
});

test("a phone number becomes a tel link of its digits", () => {
  expect(phoneAddress("+1 (555) 010-0123")).toBe("tel:+15550100123");
  for (const text of [null, "", "call me", "+1 555 010 0123;ext=5", "123"])
    expect(phoneAddress(text)).toBeUndefined();
});
