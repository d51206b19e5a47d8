import { expect, test } from "vitest";
import { hashPassword, passwordMatches } from "./passwords.js";

test("passwords have 8 to 512 characters of any kind, and count as they are: no case, space or tail is dropped", async () => {
  for (const password of ["aaaaaaaa", "  spaces  ", "пароль-密码-🔑", "x".repeat(512)]) {
    const hash = await hashPassword(password);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await passwordMatches(hash, password)).toBe(true);
    for (const other of [password.toUpperCase(), password.trim(), password.slice(0, -1), `${password} `])
      if (other !== password) expect(await passwordMatches(hash, other), other).toBe(false);
  }
  for (const password of ["", "7 chars", "🔑".repeat(7), "x".repeat(513)])
    await expect(hashPassword(password), password).rejects.toThrow(/characters/);
});

test("the same password never has the same hash", async () => {
  expect(await hashPassword("the same password")).not.toBe(await hashPassword("the same password"));
});
