import { expect, test } from "vitest";
import {
  Account,
  Contact,
  Lead,
  Subscription,
  Transaction,
  Vehicle,
  compileRecordCheck,
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

test("a valid record has no problems, and unknown fields are ignored (R75)", () => {
  expect(checkTransaction({ ...valid, organizationUuid: 7, anything: { at: "all" } })).toEqual([]);
});

test("reading 5: every problem is named with its path", () => {
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

test("reading 4: missing, null and blank required fields are code 4, wrong ones code 5", () => {
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

test("reading 26: lengths are counted in code points", () => {
  expect(checkTransaction({ ...valid, transactionId: "😀".repeat(128) })).toEqual([]);
  expect(checkTransaction({ ...valid, transactionId: "😀".repeat(129) })).toHaveLength(1);
});

test("reading 23: null means not given, except in amounts, of which only promotionAmount may be null", () => {
  expect(
    checkTransaction({ ...valid, cardType: null, account: null, promotionAmount: null, metadata: null }),
  ).toEqual([]);
  expect(messages(checkTransaction({ ...valid, netAmount: null }))).toEqual([
    "netAmount must be a number, 0 if it does not apply",
  ]);
});

test("readings 7 and 8: a malformed uuid is left to the look-up, a uuid that is no string is wrong", () => {
  expect(checkTransaction({ ...valid, locationUuid: "no uuid", accountUuid: "neither" })).toEqual([]);
  expect(messages(checkTransaction({ ...valid, locationUuid: 5 }))).toEqual([
    "locationUuid must be a string",
  ]);
});

test("R151 a contact needs an e-mail or a phone number", () => {
  expect(checkTransaction({ ...valid, contact: {} })).toMatchObject([
    { reasonCode: 4, message: "contact.email or contact.phoneNumber is required" },
  ]);
  expect(checkTransaction({ ...valid, contact: { email: " " } })).toMatchObject([{ reasonCode: 4 }]);
  expect(checkTransaction({ ...valid, contact: { phoneNumber: "+1-5550100" } })).toEqual([]);
  expect(checkTransaction({ ...valid, contact: { email: "no", phoneNumber: "+1-5550100" } })).toMatchObject([
    { path: "contact.email", reasonCode: 5 },
  ]);
});

test("reading 25: enumerations take integers of the set only", () => {
  for (const type of ["1", 1.5, true, 0, 5]) expect(checkTransaction({ ...valid, type })).toHaveLength(1);
  expect(checkTransaction({ ...valid, bookingSource: 7 })).toHaveLength(1);
});

test("reading 28: metadata must be an object of at most 64 levels", () => {
  const nest = (levels: number): unknown => (levels === 1 ? {} : { a: nest(levels - 1) });
  expect(checkTransaction({ ...valid, metadata: nest(64) })).toEqual([]);
  expect(checkTransaction({ ...valid, metadata: nest(65) })).toMatchObject([
    { path: "metadata", reasonCode: 5 },
  ]);
  expect(checkTransaction({ ...valid, metadata: [1] })).toMatchObject([{ path: "metadata", reasonCode: 5 }]);
});

test("a lead's uuid must look like one", () => {
  const checkLead = compileRecordCheck(Lead, { uuidFormat: "checked" });
  expect(messages(checkLead({ email: "jo@example.com", locationUuid: "nope" }))).toEqual([
    "locationUuid must be a UUID",
  ]);
});
