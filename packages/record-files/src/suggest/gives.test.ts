import { expect, test } from "vitest";
import { locations } from "../../testing/exports.js";
import { profileRows } from "./profile/profile.js";
import { suggestMapping } from "./suggest.js";

const garage = locations[0]?.name ?? "";

/** What each choice of a question gives for the first sample. */
function given(code: string, columns: Record<string, (row: number) => string>): Record<string, string> {
  const cells: Record<string, (row: number) => string> = {
    "Ticket No": (row) => `T-${1000 + row}`,
    Garage: () => garage,
    "Customer Type": (row) => (row % 2 === 0 ? "Hourly" : "Monthly"),
    "Payment Time": (row) => `2026-06-${10 + (row % 18)} 10:${10 + row}:00`,
    ...columns,
  };
  const rows = Array.from({ length: 30 }, (_, row) => ({
    line: row + 2,
    cells: Object.values(cells).map((cell) => cell(row)),
  }));
  const profile = profileRows(Object.keys(cells), rows);
  const suggestion = suggestMapping({ resource: "transactions", profile, locations });
  const question = suggestion.questions.find((one) => one.code === code);
  return Object.fromEntries(question?.choices.map(({ id, gives }) => [id, gives[0] ?? ""]) ?? []);
}

const names = (row: number) => ["Jo Doe", "Ann Lee", "Max Ray"][row % 3] + "e".repeat(row % 5);
const needsContact = "rejected: contact.email or contact.phoneNumber is required";

test("a choice that the record check refuses says why", () => {
  expect(given("columnMeans", { Sachbearbeiter: names })).toEqual({
    "contact (last first)": needsContact,
    "contact (first last)": needsContact,
    "contact.firstName": needsContact,
    "contact.lastName": needsContact,
    metadata: "metadata.Sachbearbeiter: Jo Doe",
    "left out": "left out",
  });
  const limit = "amountTotal must be a number between -1000000000000 and 1000000000000, exclusive";
  expect(given("minorUnits", { "Total Amount": (row) => `${5 + row}00000000000000` })).toEqual({
    cents: `rejected: ${limit}`,
    whole: `rejected: ${limit}`,
  });
});

test("a choice that needs another column is refused only if the file does not have it", () => {
  const withEmail = { Sachbearbeiter: names, "E-mail": (row: number) => `someone${row}@example.com` };
  expect(given("columnMeans", withEmail)).toMatchObject({ "contact.lastName": "contact.lastName: Jo Doe" });
});

test("a choice is checked although another question is open about every row", () => {
  const gives = given("minorUnits", {
    "Payment Time": (row) => `0${1 + (row % 9)}/05/2026 10:${10 + row}`,
    "Total Amount": (row) => `${5 + row}00000000000000`,
  });
  expect(gives["whole"]).toMatch(/^rejected: amountTotal must be a number/);
});
