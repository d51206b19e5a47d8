import { expect, test } from "vitest";
import fc from "../../../../../testing/properties.js";
import { generateApiKey, hashApiKey, isWellFormedApiKey, shownPrefix } from "./api-key-format.js";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test("100,000 generated keys are unique and well-formed", () => {
  const keys = new Set<string>();
  const misshapen: string[] = [];
  for (let count = 0; count < 100_000; count += 1) {
    const key = generateApiKey();
    keys.add(key);
    if (!/^ghk_[0-9A-Za-z]{36}$/.test(key) || !isWellFormedApiKey(key)) misshapen.push(key);
  }
  expect(keys.size).toBe(100_000);
  expect(misshapen).toEqual([]);
});

test("every character is equally likely", () => {
  const uses = new Map<string, number>();
  for (let count = 0; count < 5_000; count += 1)
    for (const character of generateApiKey().slice(4, 34))
      uses.set(character, (uses.get(character) ?? 0) + 1);
  expect([...uses.keys()].toSorted().join("")).toBe(alphabet);
  const expected = (5_000 * 30) / 62;
  // Six standard deviations: one run in ten million fails by chance.
  for (const [character, count] of uses)
    expect(Math.abs(count - expected), character).toBeLessThan(6 * Math.sqrt(expected));
});

test("a key has at least 160 random bits", () => {
  expect(30 * Math.log2(62)).toBeGreaterThan(160);
});

test("changing, omitting, doubling or swapping a character makes a key invalid", () => {
  fc.assert(
    fc.property(fc.nat(35), fc.constantFrom(...alphabet, "é", " ", "-"), (index, character) => {
      const key = generateApiKey();
      const at = index + 4;
      const flipped = key.slice(0, at) + character + key.slice(at + 1);
      if (flipped !== key) expect(isWellFormedApiKey(flipped), `${key} ${flipped}`).toBe(false);
      expect(isWellFormedApiKey(key.slice(0, at) + key.slice(at + 1))).toBe(false);
      expect(isWellFormedApiKey(key.slice(0, at) + key[at] + key.slice(at))).toBe(false);
      const swapped = key.slice(0, at - 1) + key[at] + key[at - 1] + key.slice(at + 1);
      if (swapped !== key) expect(isWellFormedApiKey(swapped), `${key} ${swapped}`).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test("strings that are not keys are not well-formed", () => {
  for (const text of ["", "ghk_", "null", "ghk_".repeat(10), `${generateApiKey()}\n`, ` ${generateApiKey()}`])
    expect(isWellFormedApiKey(text), text).toBe(false);
});

test("the displayed prefix does not help to guess a key, and its hash is a SHA-256", () => {
  const key = generateApiKey();
  expect(shownPrefix(key)).toBe(key.slice(0, 10));
  expect(hashApiKey(key)).toHaveLength(32);
  expect(hashApiKey(key)).toEqual(hashApiKey(key));
});
