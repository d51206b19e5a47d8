import { expect, test } from "vitest";
import { asked, givenBy, suggest, type Cells } from "../../testing/suggestion.js";

test.each(["Total Amount", "Betrag (Rappen)", "Kwota", "金額 USD"])(
  "whole amounts may be cents: %s",
  async (name) => {
    const question = asked(
      await suggest(
        { [name]: (row) => String(1250 + row) },
        { without: name === "Total Amount" ? [] : ["Total Amount"] },
      ),
      "minorUnits",
    );
    expect(givenBy(question, "cents")).toBe("amountTotal: 12.5");
    expect(givenBy(question, "whole")).toBe("amountTotal: 1250");
  },
);

test.each(["n/d", "\\N", "(null)", "#N/A", "-", "UNKNOWN", "なし", "brak", "sin dato", "0000", "XXXX"])(
  "a placeholder is never a plate in silence: %s",
  async (word) => {
    const { questions, assumptions } = await suggest({
      "License Plate": (row) => (row % 5 === 0 ? word : `ABC ${100 + row}`),
    });
    const question = [...questions, ...assumptions].find(({ code }) => code === "placeholders");
    expect(question).toMatchObject({
      rows: 6,
      data: { column: "License Plate", values: [{ value: word, count: 6 }] },
    });
    expect(givenBy(question, "empty")).toBe("left out");
  },
);

test("a code such as ND among other states stays a value", async () => {
  const { questions, assumptions } = await suggest({
    "License Plate": (row) => `ABC ${100 + row}`,
    "Plate State": (row) => ["NY", "ND", "NJ", "CA"][row % 4] as string,
  });
  expect([...questions, ...assumptions].filter(({ code }) => code === "placeholders")).toEqual([]);
});

test("codes that look like those of the contract are shown to be confirmed", async () => {
  const { assumptions } = await suggest({ "Customer Type": (row) => String(1 + (row % 2)) });
  expect(assumptions.find(({ code }) => code === "codes")?.data).toEqual({
    column: "Customer Type",
    values: [
      { value: "1", count: 15 },
      { value: "2", count: 15 },
    ],
    names: { 1: "Transient", 2: "Monthly" },
  });
  const other = await suggest({ "Customer Type": (row) => String(1 + (row % 9)) });
  expect(asked(other, "codes")).toBeDefined();
});

test("the order of names follows capitals and commas, and is asked otherwise", async () => {
  const email: Cells = { Email: (row) => `p${row}@example.com` };
  const names = (cell: (row: number) => string) => suggest({ ...email, "Customer Name": cell });
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZABCDEF";
  const capitals = await names((row) => `DUPONT${letters[row]} Jean`);
  expect(capitals.mapping.columns["Customer Name"]).toEqual({ to: "contact", name: "last first" });
  const commas = await names((row) => `Dupont${letters[row]}, Jean`);
  expect(commas.mapping.columns["Customer Name"]).toEqual({ to: "contact", name: "last, first" });
  const question = asked(await names((row) => `Jean Dupont${letters[row]}`), "nameOrder");
  expect(givenBy(question, "first last")).toBe("contact.firstName: Jean, contact.lastName: DupontA");
  expect(givenBy(question, "last first")).toBe("contact.firstName: DupontA, contact.lastName: Jean");
  expect(
    asked(await names((row) => (row === 3 ? "Acme GmbH" : `Dupont${letters[row]}, Jean`)), "companies")?.rows,
  ).toBe(1);
});

test.each([
  ["Status", "VOID"],
  ["Status", "Storniert"],
  ["Statut", "Annulé"],
  ["状態", "取消"],
  ["Статус", "Отменен"],
])("rows that did not happen are asked about: %s %s", async (name, word) => {
  const question = asked(await suggest({ [name]: (row) => (row % 10 === 0 ? word : "OK") }), "voidRows");
  expect(question?.rows).toBe(3);
  expect(givenBy(question, "leave-out-rows")).toBe("not imported");
});

test.each([
  ["Void", (row: number) => (row === 4 ? "X" : "")],
  ["Makulerad", (row: number) => (row === 4 ? "Ja" : "Nej")],
  ["Storniert", (row: number) => String(Number(row === 4))],
  ["is_test", (row: number) => String(row === 4)],
])("rows that a column marks are asked about: %s", async (name, cell) => {
  const question = asked(await suggest({ [name]: cell }), "markedRows");
  expect(question?.rows).toBe(1);
  expect(givenBy(question, "leave-out-rows")).toBe("not imported");
});

test("amounts in digits of other scripts and with Indian groups are amounts", async () => {
  for (const amount of ["१२,३४,५६७.५०", "12,34,567.50", "１２３４５６７．５０", "₹12,34,567.50"]) {
    const { mapping } = await suggest({ "Total Amount": amount });
    expect(mapping.columns["Total Amount"]).toMatchObject({ to: "amountTotal" });
  }
});
