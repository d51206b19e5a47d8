import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { hashPassword, passwordMatches } from "./passwords.js";

test("passwords have 12 to 512 characters of any kind and are compared exactly, with case, spaces and every character", async () => {
  for (const password of ["vxq dzbj1 kwl", "   spaces   ", "пароль-密码-🔑🔑", "xyz12 kuq".repeat(56)]) {
    const stored = await hashPassword(password);
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwordMatches(stored, password)).toBe(true);
    for (const other of [password.toUpperCase(), password.trim(), password.slice(0, -1), `${password} `])
      if (other !== password) expect(await passwordMatches(stored, other), other).toBe(false);
  }
  for (const password of ["", "11 chars ab", "🔑".repeat(11), "x".repeat(513)])
    await expect(hashPassword(password), password).rejects.toThrow(/characters/);
});

test("the same password never has the same hash", async () => {
  expect(await hashPassword("the same password")).not.toBe(await hashPassword("the same password"));
});

test.each([
  ["password123456", /similar to a common password/],
  ["Password123456!", /common password/],
  ["1qaz2wsx3edc", /most common/],
  ["qwertyqwerty", /repeats/],
  ["administrator", /most common/],
  ["123456789012", /most common/],
  ["abcdefghijkl", /sequence/],
  ["a".repeat(40), /repeats/],
  ["abcabcabcabca", /repeats/],
])("%s is rejected with the reason", async (password, why) => {
  await expect(hashPassword(password)).rejects.toThrow(why);
});

test("the user's address and the name of the organization are rejected as passwords", async () => {
  const known = ["jo.miller@example.com", "Northwind Parking"];
  for (const password of ["jo.miller@example.com", "northwind parking", "Northwind Parking 1"])
    await expect(hashPassword(password, known), password).rejects.toThrow(/your email address or the name/);
  expect(await hashPassword("correct horse battery staple", known)).toContain("argon2id");
});

test("a weak password from an earlier release still works", async () => {
  const stored = await hash("password123456", { memoryCost: 8, timeCost: 1, parallelism: 1 });
  expect(await passwordMatches(stored, "password123456")).toBe(true);
});

test("rating 512 characters takes no longer than rating 32 of them", async () => {
  const cost = async (password: string) => {
    const begun = process.cpuUsage();
    await hashPassword(password).catch(() => undefined);
    const { user, system } = process.cpuUsage(begun);
    return user + system;
  };
  const worst = (length: number) => "p4ssw0rd1!".repeat(52).slice(0, length);
  await cost(worst(32));
  const least = async (length: number) =>
    Math.min(await cost(worst(length)), await cost(worst(length)), await cost(worst(length)));
  const short = await least(32);
  expect(await least(512)).toBeLessThan(5 * short + 20_000);
});
