import { expect, test } from "vitest";
import {
  Account,
  Contact,
  Lead,
  Subscription,
  Transaction,
  Vehicle,
  compileRecordCheck,
  maxAmountScale,
  type Problem,
} from "../index.js";

const nested = { Account, Contact, Vehicle, Subscription };
const checkTransaction = compileRecordCheck(Transaction, { uuidFormat: "looked up", nested });
const valid = {
  transactionId: "T-1",
  locationUuid: "6f0d2c68-6a40-7c1e-8a52-0a1f4f3e9d10",
  type: 1,
  transactionDate: "2026-04-01T14:30:00.000Z",
};
const messages = (problems: Problem[]) => problems.map((problem) => problem.message);

/** @covers R75 */
test("a valid record has no problems, and unknown fields are ignored", () => {
  expect(checkTransaction({ ...valid, organizationUuid: 7, anything: { at: "all" } })).toEqual([]);
});

/** @covers reading 5 */
test("every problem has a path", () => {
  const problems = checkTransaction({
    ...valid,
    amountTotal: "12",
    vehicle: { state: "TOO LONG FOR IT" },
    type: 9,
  });
  expect(messages(problems)).toEqual([
    "type must be one of 1, 2, 3, 4",
    "amountTotal must be a number",
    "vehicle.licensePlate is required",
    "vehicle.state must have at most 8 characters",
  ]);
});

/** @covers reading 4 */
test("missing, null and blank required fields are code 4, wrong ones code 5", () => {
  for (const transactionId of [undefined, null, "", "  "]) {
    expect(checkTransaction({ ...valid, transactionId })).toMatchObject([
      { path: "transactionId", reasonCode: 4 },
    ]);
  }
  for (const transactionId of [7, true, {}, "x".repeat(129), "a\u0000b", "a\ud800"]) {
    expect(checkTransaction({ ...valid, transactionId })).toMatchObject([
      { path: "transactionId", reasonCode: 5 },
    ]);
  }
});

/** @covers reading 26 */
test("lengths count in code points", () => {
  expect(checkTransaction({ ...valid, transactionId: "😀".repeat(128) })).toEqual([]);
  expect(checkTransaction({ ...valid, transactionId: "😀".repeat(129) })).toHaveLength(1);
});

/** @covers reading 23 */
test("null counts as absent, except in amounts, where only promotionAmount may be null", () => {
  expect(
    checkTransaction({ ...valid, cardType: null, account: null, promotionAmount: null, metadata: null }),
  ).toEqual([]);
  expect(messages(checkTransaction({ ...valid, netAmount: null }))).toEqual([
    "netAmount must be a number, 0 if it does not apply",
  ]);
});

/** @covers reading 7, reading 8 */
test("a malformed uuid passes because the lookup rejects it; a uuid that is not a string fails", () => {
  expect(checkTransaction({ ...valid, locationUuid: "no uuid", accountUuid: "neither" })).toEqual([]);
  expect(messages(checkTransaction({ ...valid, locationUuid: 5 }))).toEqual([
    "locationUuid must be a string",
  ]);
});

/** @covers R151 */
test("a contact needs an email or a phone number", () => {
  expect(checkTransaction({ ...valid, contact: {} })).toMatchObject([
    { reasonCode: 4, message: "contact.email or contact.phoneNumber is required" },
  ]);
  expect(checkTransaction({ ...valid, contact: { email: " " } })).toMatchObject([{ reasonCode: 4 }]);
  expect(checkTransaction({ ...valid, contact: { phoneNumber: "+1-5550100" } })).toEqual([]);
  expect(checkTransaction({ ...valid, contact: { email: "no", phoneNumber: "+1-5550100" } })).toMatchObject([
    { path: "contact.email", reasonCode: 5 },
  ]);
});

/** @covers reading 25 */
test("enumerations accept only their integers", () => {
  for (const type of ["1", 1.5, true, 0, 5]) expect(checkTransaction({ ...valid, type })).toHaveLength(1);
  expect(checkTransaction({ ...valid, bookingSource: 7 })).toHaveLength(1);
});

/** @covers reading 28 */
test("metadata must be an object of at most 64 levels", () => {
  const nest = (levels: number): unknown => (levels === 1 ? {} : { a: nest(levels - 1) });
  expect(checkTransaction({ ...valid, metadata: nest(64) })).toEqual([]);
  expect(checkTransaction({ ...valid, metadata: nest(65) })).toMatchObject([
    { path: "metadata", reasonCode: 5 },
  ]);
  expect(checkTransaction({ ...valid, metadata: [1] })).toMatchObject([{ path: "metadata", reasonCode: 5 }]);
});

test("every format describes what it accepts", () => {
  const checkLead = compileRecordCheck(Lead, { uuidFormat: "checked" });
  const lead = { email: "no", locationUuid: "no", phone: "no", estimatedStartDate: "no" };
  expect(messages(checkLead(lead))).toEqual([
    "email must be an email address",
    "locationUuid must be a UUID",
    "phone must be a phone number with + and country code, of 7 to 15 digits",
    "estimatedStartDate must be an existing date, or date and time with a zone, such as 2026-04-01 or 2026-04-01T14:30:00Z",
  ]);
  const transaction = {
    transactionDate: "no",
    contact: { phoneNumber: "no" },
    vehicle: { licensePlate: "-" },
  };
  expect(messages(checkTransaction({ ...valid, ...transaction }))).toEqual([
    "transactionDate must be an existing date and time with a zone, such as 2026-04-01T14:30:00Z",
    "contact.phoneNumber must be a phone number of 5 to 15 digits, such as +1-5550100",
    "vehicle.licensePlate must contain a letter or a digit",
  ]);
});

test("a uuid of a lead must be well-formed", () => {
  const checkLead = compileRecordCheck(Lead, { uuidFormat: "checked" });
  expect(messages(checkLead({ email: "jo@example.com", locationUuid: "nope" }))).toEqual([
    "locationUuid must be a UUID",
  ]);
});

test("a wrong object or enumerated text says what it must be", () => {
  for (const account of [7, "A-1", [], true])
    expect(messages(checkTransaction({ ...valid, account }))).toEqual(["account must be an object"]);
  const checkLead = compileRecordCheck(Lead, { uuidFormat: "checked" });
  const lead = { email: "jo@example.com", locationUuid: valid.locationUuid };
  expect(messages(checkLead({ ...lead, captchaType: "riddle" }))).toEqual([
    "captchaType must be one of recaptcha, hcaptcha, turnstile",
  ]);
});

test("metadata may hold anything within its depth limit, which is read from the JSON text if there is one", () => {
  const deep = (levels: number) =>
    messages(
      checkTransaction(
        { ...valid, metadata: {} },
        { numberSpelling: () => undefined, depthAt: (path) => (path.join(".") === "metadata" ? levels : 0) },
      ),
    );
  expect(deep(64)).toEqual([]);
  expect(deep(65)).toEqual(["metadata must not be nested deeper than 64 levels"]);
  expect(messages(checkTransaction({ ...valid, metadata: "text" }))).toEqual(["metadata must be an object"]);
  expect(checkTransaction({ ...valid, metadata: { a: 1, b: "text", c: null, d: [1, [2]] } })).toEqual([]);
});

test("booleans, bounded integers and other JSON Schema shapes are checked", () => {
  const check = compileRecordCheck(
    {
      properties: {
        only: { type: ["string", "null"] },
        flag: { type: "boolean" },
        count: { type: ["integer"], minimum: 2, maximum: 4 },
        any: { type: "integer" },
      },
      required: ["count"],
      anyOf: [{ required: ["only"] }],
    },
    { uuidFormat: "checked" },
  );
  expect(check({ only: "x", flag: false, count: 2 })).toEqual([]);
  expect(check({ only: "x", count: 4, any: Number.MAX_SAFE_INTEGER })).toEqual([]);
  expect(check({ only: "x", count: 4, any: Number.MIN_SAFE_INTEGER })).toEqual([]);
  expect(messages(check({ count: 2 }))).toEqual(["only is required"]);
  expect(messages(check({ only: "x", flag: "true", count: 1 }))).toEqual([
    "flag must be true or false",
    "count must be a whole number from 2 to 4",
  ]);
  expect(messages(check({ only: "x", flag: null, count: 5, any: 2 ** 53 }))).toEqual([
    "flag must be true or false",
    "count must be a whole number from 2 to 4",
    `any must be a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
  ]);
  expect(messages(check({ only: "x", count: 2.5 }))).toHaveLength(1);
});

test("a referenced schema must be passed in", () => {
  expect(() => compileRecordCheck(Transaction, { uuidFormat: "looked up" })).toThrow(
    "No schema was given for",
  );
});

/** @covers reading 22 */
test("an amount that rounds to its bound is compared by its digits, and its decimal places are limited", () => {
  const spelled = (spelling: string) =>
    messages(
      checkTransaction(
        { ...valid, amountTotal: Number(spelling) },
        {
          numberSpelling: (path) => (path.join(".") === "amountTotal" ? spelling : undefined),
          depthAt: () => 0,
        },
      ),
    );
  const { exclusiveMaximum: bound } = Transaction.properties.amountTotal as unknown as {
    exclusiveMaximum: number;
  };
  const nines = "9".repeat(String(bound).length - 1);
  expect(spelled(`${nines}.9999`)).toEqual([]);
  expect(spelled(`-${nines}.9999`)).toEqual([]);
  const outside = [`amountTotal must be a number between -${bound} and ${bound}, exclusive`];
  expect(spelled(String(bound))).toEqual(outside);
  expect(spelled(`-${bound}`)).toEqual(outside);
  expect(spelled("1e400")).toEqual(outside);
  expect(spelled(`1.${"0".repeat(maxAmountScale - 1)}1`)).toEqual([]);
  expect(spelled(`1.${"0".repeat(maxAmountScale)}1`)).toEqual([
    `amountTotal must have at most ${maxAmountScale} decimal places`,
  ]);
  expect(messages(checkTransaction({ ...valid, amountTotal: bound }))).toEqual(outside);
  expect(checkTransaction({ ...valid, amountTotal: bound - 1 })).toEqual([]);
});

test("nested fields of every kind report their full path and reject null unless they allow it", () => {
  const Inner = {
    properties: {
      count: { type: ["integer"] },
      flag: { type: ["boolean", "null"] },
      amount: { type: "number", exclusiveMaximum: 10 },
      text: { type: "string", maxLength: 1 },
      more: { type: ["object", "null"] },
      deeper: { anyOf: [{ type: "null" }, { $ref: "Deeper" }] },
    },
  };
  const Deeper = { properties: { one: { type: "integer", enum: [1, null] } } };
  const check = compileRecordCheck(
    { properties: { inner: { anyOf: [{ $ref: "Inner" }, { type: "null" }] } } },
    { uuidFormat: "checked", nested: { Inner, Deeper } },
  );
  const inner = { count: 1, flag: null, amount: 9.9, text: "x", more: null, deeper: { one: 1 } };
  expect(check({ inner })).toEqual([]);
  expect(check({ inner: null })).toEqual([]);
  expect(
    messages(
      check({ inner: { count: null, flag: 0, amount: 10, text: "xy", more: 1, deeper: { one: null } } }),
    ),
  ).toEqual([
    `inner.count must be a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
    "inner.flag must be true or false",
    "inner.amount must be a number between -10 and 10, exclusive",
    "inner.text must have at most 1 characters",
    "inner.more must be an object",
    "inner.deeper.one must be one of 1",
  ]);
  expect(messages(check({ inner: { deeper: 1 } }))).toEqual(["inner.deeper must be an object"]);
});
