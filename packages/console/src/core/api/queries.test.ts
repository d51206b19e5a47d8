import { expect, test } from "vitest";
import { Refused, Unreachable } from "./errors.js";
import { IdempotentChange } from "./queries.js";

const parking = { body: { name: "Parking" } };
const other = { body: { name: "Other" } };

test("the same change starts only once at a time; other changes are not blocked", () => {
  const one = new IdempotentChange();
  expect([one.begin(parking), one.begin({ ...parking })]).toEqual([true, false]);
  expect(one.begin(other)).toBe(true);
  expect(one.begin(parking), "the first is still in progress").toBe(false);
  one.end(other, null);
  expect(one.begin(other)).toBe(true);
});

test("a change keeps its idempotency key until its outcome is known", () => {
  const one = new IdempotentChange();
  const token = one.tokenFor(parking);
  expect(token).toMatch(/^[0-9a-f-]{36}$/);
  one.end(parking, new Unreachable(undefined));
  expect(one.tokenFor(parking)).toBe(token);
  one.end(parking, new Refused(503, {}));
  expect(one.tokenFor(parking)).toBe(token);
  expect(one.tokenFor(other)).not.toBe(token);
  const again = one.tokenFor(parking);
  one.end(parking, new Refused(400, {}));
  expect(one.tokenFor(parking)).not.toBe(again);
});
