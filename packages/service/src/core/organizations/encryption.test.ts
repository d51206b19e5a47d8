import { randomBytes, randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openSecret, sealSecret } from "./encryption.js";

const key = randomBytes(32);
const organizationId = randomUUID();

test("a secret opens again, and never looks the same twice", () => {
  const first = sealSecret(key, organizationId, "6Lc-secret-ü");
  const second = sealSecret(key, organizationId, "6Lc-secret-ü");
  expect(openSecret(key, organizationId, first)).toBe("6Lc-secret-ü");
  expect(first.equals(second)).toBe(false);
  expect(first.includes(Buffer.from("6Lc-secret"))).toBe(false);
});

test("another key, another owner, another purpose and any flipped bit are refused", () => {
  const sealed = sealSecret(key, organizationId, "secret");
  expect(() => openSecret(randomBytes(32), organizationId, sealed)).toThrow(
    "does not open with this secret key",
  );
  expect(() => openSecret(key, randomUUID(), sealed)).toThrow("does not open with this secret key");
  expect(() => openSecret(key, organizationId, sealed, "second factor")).toThrow(
    "does not open with this secret key",
  );
  for (let at = 0; at < sealed.length; at += 1) {
    const altered = Buffer.from(sealed);
    altered[at] = (altered[at] as number) ^ 1;
    expect(() => openSecret(key, organizationId, altered), `byte ${at}`).toThrow(
      "does not open with this secret key",
    );
  }
  expect(() => openSecret(key, organizationId, sealed.subarray(0, 10))).toThrow(
    "does not open with this secret key",
  );
});
