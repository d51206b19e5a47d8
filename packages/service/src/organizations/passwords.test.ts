import { expect, test } from "vitest";
import { hashPassword, passwordMatches } from "./passwords.js";

test("passwords have 12 to 512 characters of any kind, and count as they are: no case, space or tail is dropped", async () => {
  for (const password of ["abcdefgh1jkl", "   spaces   ", "пароль-密码-🔑🔑", "xyz12".repeat(102)]) {
    const hash = await hashPassword(password);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwordMatches(hash, password)).toBe(true);
    for (const other of [password.toUpperCase(), password.trim(), password.slice(0, -1), `${password} `])
      if (other !== password) expect(await passwordMatches(hash, other), other).toBe(false);
  }
  for (const password of ["", "11 chars ab", "🔑".repeat(11), "x".repeat(513)])
    await expect(hashPassword(password), password).rejects.toThrow(/characters/);
});

test("the same password never has the same hash", async () => {
  expect(await hashPassword("the same password")).not.toBe(await hashPassword("the same password"));
});

test.each(["1qaz2wsx3edc", "QWERTY123456", "qwertyqwerty", "administrator", "123456789012"])(
  "%s is one of the most common, in any case, and refused",
  async (password) => {
    for (const spelled of [password, password.toLowerCase(), password.toUpperCase()])
      await expect(hashPassword(spelled)).rejects.toThrow("one of the most common");
  },
);

test("a few characters over and over, and one's own address, are refused", async () => {
  for (const password of ["a".repeat(40), "ab".repeat(8), "abcabcabcabca", "%".repeat(12)])
    await expect(hashPassword(password), password).rejects.toThrow("only repeats a few characters");
  await expect(hashPassword("Jo.Miller@Example.com 2026", "jo.miller@example.com")).rejects.toThrow(
    "must not contain your e-mail address",
  );
  expect(await hashPassword("correct horse battery staple", "jo.miller@example.com")).toContain("argon2id");
});
