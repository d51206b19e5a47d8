import { recordKinds as declaredKinds } from "@gatehouse-parking/contract/console";
import { expect, test } from "vitest";
import { enumName, kinds, recordKinds } from "./record-kinds.js";

test("the navigation has every kind of record, in the contract's order", () => {
  expect(recordKinds).toEqual(declaredKinds);
});

test("filters and values have the names of the contract's enumerations", () => {
  expect(kinds.subscriptions).toMatchObject({
    plural: "Subscriptions",
    singular: "Subscription",
    text: "tpReferenceId starts with",
    type: { label: "Status", values: { Active: 1, PendingApproval: 4 } },
    hasLocation: true,
  });
  expect(kinds.vehicles).toMatchObject({ text: "Plate starts with", hasLocation: false });
  expect(kinds.vehicles.type).toBeUndefined();
  expect(enumName("transactions", "bookingSource", 6)).toBe("CustomerApi");
  expect(enumName("accounts", "type", 9)).toBeUndefined();
  expect(enumName("accounts", "name", 1)).toBeUndefined();
});
