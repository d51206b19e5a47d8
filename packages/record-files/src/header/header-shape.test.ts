import { expect, test } from "vitest";
import { headerShape } from "./header-shape.js";

test("headers with the same names have the same shape in any order, case and spacing", () => {
  const shape = headerShape(["Ticket", "Paid at", "Amount"]);
  expect(shape).toMatch(/^[0-9a-f]{16}$/);
  expect(headerShape([" amount", "TICKET", "paid  at "])).toBe(shape);
});

test.each([
  ["another name", ["Ticket", "Paid on", "Amount"]],
  ["one more", ["Ticket", "Paid at", "Amount", "Amount 2"]],
  ["one less", ["Ticket", "Paid at"]],
  ["names cut elsewhere", ["Ticket Paid", "at", "Amount"]],
  ["none", []],
])("%s is a different shape", (_what, columns) => {
  expect(headerShape(columns)).not.toBe(headerShape(["Ticket", "Paid at", "Amount"]));
});
