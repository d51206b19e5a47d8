import { Type } from "../schema/type.js";
import { expect, test } from "vitest";
import { clearable, localDate, moment, typed, typedList, word } from "../console/fields.js";
import { flag, uuid } from "../schema/fields.js";
import { compileRecordCheck } from "./check-record.js";

const form = Type.Object({
  name: typed(),
  nickname: Type.Optional(typed()),
  role: Type.Optional(word(["admin", "viewer"])),
  isActive: Type.Optional(flag()),
  overlap: Type.Optional(Type.Number()),
  origins: Type.Optional(typedList()),
  permissions: Type.Optional(Type.Array(word(["read", "write"]))),
  captcha: Type.Optional(
    clearable(Type.Object({ type: word(["one", "two"]), score: Type.Optional(clearable(Type.Number())) })),
  ),
  from: Type.Optional(moment()),
  date: Type.Optional(localDate()),
  location: Type.Optional(uuid()),
});
const check = compileRecordCheck(form, { uuidFormat: "checked", of: "forms" });
const problems = (given: Record<string, unknown>) =>
  check({ name: "Jo", ...given }).map(({ message }) => message);

test("a form reports all problems at once, each with its field name", () => {
  expect(check({ role: "owner", isActive: "yes", location: "here" })).toEqual([
    { path: "name", reasonCode: 4, message: "name is required" },
    { path: "role", reasonCode: 5, message: "role must be one of admin, viewer" },
    { path: "isActive", reasonCode: 5, message: "isActive must be true or false" },
    { path: "location", reasonCode: 5, message: "location must be a UUID" },
  ]);
});

test("null is allowed in an optional field and missing in a required one", () => {
  expect(problems({ nickname: null, role: null, overlap: null, origins: null, captcha: null })).toEqual([]);
  expect(problems({ name: null })).toEqual(["name is required"]);
});

test("forms leave blank text and unstorable characters to the code that stores them", () => {
  expect(problems({ name: " ", nickname: "a\u0000b" })).toEqual([]);
  expect(problems({ name: 7, nickname: ["Jo"] })).toEqual([
    "name must be a string",
    "nickname must be a string",
  ]);
  // Records are checked completely here: no one reviews them later.
  const records = compileRecordCheck(form, { uuidFormat: "checked" });
  expect(records({ name: " ", nickname: "a\u0000b" }).map(({ message }) => message)).toEqual([
    "name is required",
    "nickname must not contain U+0000 or half of a surrogate pair",
  ]);
});

test.each(["owner", "Admin", ["admin"], { admin: true }, 1, true])("%j is not an accepted value", (role) => {
  expect(problems({ role })).toEqual(["role must be one of admin, viewer"]);
});

test("numbers are accepted, values that only look like numbers are not", () => {
  expect(problems({ overlap: 0.5 })).toEqual([]);
  for (const overlap of ["1", true, {}, [1]])
    expect(problems({ overlap })).toEqual(["overlap must be a number"]);
});

test("a list with several wrong items reports one problem", () => {
  expect(problems({ origins: [], permissions: ["read", "write"] })).toEqual([]);
  expect(problems({ origins: "a, b", permissions: { 0: "read" } })).toEqual([
    "origins must be a list",
    "permissions must be a list",
  ]);
  expect(check({ name: "Jo", origins: ["a", 1, 2] })).toEqual([
    { path: "origins", reasonCode: 5, message: "origins holds something that must be a string" },
  ]);
  expect(problems({ permissions: ["read", "delete", 7] })).toEqual([
    "permissions holds something that must be one of read, write",
  ]);
});

test("the fields of a nested object are checked", () => {
  expect(problems({ captcha: { type: "one", score: null } })).toEqual([]);
  expect(problems({ captcha: { score: "high" } })).toEqual([
    "captcha.type is required",
    "captcha.score must be a number",
  ]);
  expect(problems({ captcha: "one" })).toEqual(["captcha must be an object"]);
});

test("requested dates must be in the years 1000 to 9998", () => {
  const mustBeDate = "date must be a date such as 2026-04-01, in the years 1000 to 9998";
  for (const date of ["1000-01-01", "2024-02-29", "9998-12-31"]) expect(problems({ date }), date).toEqual([]);
  for (const date of ["0999-12-31", "9999-01-01", "2023-02-29", "2026-4-1", "2026-04-01T00:00:00Z"])
    expect(problems({ date }), date).toEqual([mustBeDate]);
  const mustBeMoment = "from must be a date and time in ISO 8601, with a zone, in the years 1000 to 9998";
  for (const from of ["1000-01-01T00:00:00Z", "9998-12-31T23:59:59.999Z"])
    expect(problems({ from }), from).toEqual([]);
  for (const from of ["0999-12-31T23:59:59Z", "9999-01-01T00:00:00Z", "2026-04-01", "2026-04-01T14:30:00"])
    expect(problems({ from }), from).toEqual([mustBeMoment]);
});
