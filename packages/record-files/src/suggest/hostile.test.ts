import { expect, test } from "vitest";
import { locations } from "../../testing/exports.js";
import type { MappingQuestion } from "../record/questions.js";
import type { Row, Table } from "../table.js";
import { profileTable } from "./profile/profile.js";
import { suggestAndCheck, type Suggestion } from "./suggest.js";

const garage = locations[0]?.name ?? "";

async function* rowsOf(rows: readonly (readonly string[])[]): AsyncGenerator<Row> {
  for (const [index, cells] of rows.entries()) yield { line: index + 2, cells: [...cells] };
}

/** Thirty clean transactions, with some of their columns replaced or added. A cell may depend on the row. */
type Cells = Record<string, string | ((row: number) => string)>;
const clean: Cells = {
  "Ticket No": (row) => `T-${1000 + row}`,
  Garage: garage,
  "Customer Type": (row) => (row % 2 === 0 ? "Hourly" : "Monthly"),
  "Payment Time": (row) => `2026-06-${String(1 + (row % 28)).padStart(2, "0")} 10:${String(10 + row)}:00`,
  "Total Amount": (row) => `${5 + row}.50`,
};

async function suggest(
  changes: Cells = {},
  {
    without = [],
    resource = "transactions" as const,
  }: { without?: string[]; resource?: "transactions" | "accounts" } = {},
): Promise<Suggestion> {
  const cells = Object.entries({ ...(resource === "transactions" ? clean : {}), ...changes }).filter(
    ([name]) => !without.includes(name),
  );
  const rows = Array.from({ length: 30 }, (_, row) =>
    cells.map(([, cell]) => (typeof cell === "string" ? cell : cell(row))),
  );
  const table = (): Table => ({ columns: cells.map(([name]) => name), rows: rowsOf(rows) });
  return suggestAndCheck({ resource, profile: await profileTable(table()), locations }, table());
}

const asked = ({ questions }: Suggestion, code: string): MappingQuestion | undefined =>
  questions.find((question) => question.code === code);
const givenBy = (question: MappingQuestion | undefined, id: string) =>
  question?.choices.find((choice) => choice.id === id)?.gives[0];

test("a clean file leads to no question, and its assumptions list the fields, words and the zone", async () => {
  const { questions, assumptions } = await suggest();
  expect(questions.map(({ text }) => text)).toEqual([]);
  expect(assumptions.map(({ code }) => code)).toEqual(["knownWords", "fields", "zone"]);
});

test.each([
  ["Date", "Time In", "Time Out"],
  ["Datum", "Einfahrt Uhrzeit", "Ausfahrt Uhrzeit"],
  ["Data", "Godzina wjazdu", "Godzina wyjazdu"],
  ["Fecha", "Hora de entrada", "Hora de salida"],
  ["日付", "入庫時刻", "出庫時刻"],
])("one bare date belongs to the times of entry and exit: %s, %s, %s", async (date, entry, exit) => {
  const { mapping } = await suggest({
    [date]: "2026-06-05",
    [entry]: "08:15",
    [exit]: (row) => `09:${10 + row}`,
  });
  expect(mapping.columns[date]).toEqual([
    expect.objectContaining({ to: "sessionStart", with: entry }),
    expect.objectContaining({ to: "sessionEnd", with: exit }),
  ]);
});

test("day, month, year and an unpadded time of four columns are one moment", async () => {
  const { mapping } = await suggest(
    {
      Day: (row) => String(1 + (row % 28)),
      Month: (row) => String(3 + (row % 2)),
      Year: "2026",
      Time: (row) => String(5 + row * 10 + (row > 5 ? 40 : 0)).replace(/[6-9](\d)$/, "0$1"),
    },
    { without: ["Payment Time"] },
  );
  expect(mapping.columns["Day"]).toMatchObject({ to: "transactionDate", with: ["Month", "Year", "Time"] });
});

test("rows with a date and without a time are counted and asked about", async () => {
  const suggestion = await suggest({
    "Entry Date": "2026-06-05",
    "Entry Time": (row) => (row < 2 ? "" : "08:15"),
  });
  const question = asked(suggestion, "noTimeOfDay");
  expect(question).toMatchObject({ rows: 2, samples: ["2026-06-05 · "] });
  expect(givenBy(question, "00:00")).toBe("sessionStart: 2026-06-05T04:00:00Z");
});

test("a date where a time is needed is never midnight without a question", async () => {
  expect(asked(await suggest({ "Entry Date": "2026-06-05" }), "noTimeOfDay")?.rows).toBe(30);
  expect(asked(await suggest({ "Entry Date": "2026-06-05 00:00:00" }), "allMidnight")?.rows).toBe(30);
});

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

test("the zone in the values is used: GMT", async () => {
  const { assumptions } = await suggest({
    "Payment Time": (row) => `Tue, 02 Jun 2026 10:${10 + row}:24 GMT`,
  });
  const fields = assumptions.find(({ code }) => code === "fields");
  expect(givenBy(fields, "yes")).toContain("transactionDate: 2026-06-02T10:10:24Z");
});

test("a column Paid with 1 and 0 is not an amount", async () => {
  const suggestion = await suggest({ Paid: (row) => String(row % 2) }, { without: ["Total Amount"] });
  expect(suggestion.mapping.columns["Paid"]).toBe("metadata.Paid");
  expect(asked(suggestion, "unpaidRows")?.rows).toBe(15);
});

test("an arrival in a file of bookings may be the planned one", async () => {
  const question = asked(
    await suggest({ "Booking Ref": (row) => `B${row}`, Arrival: "2026-06-05 08:15:00" }),
    "plannedOrActual",
  );
  expect(givenBy(question, "booked")).toBe("scheduledArrival: 2026-06-05T12:15:00Z");
});

test.each([
  ["Zzyx", (row: number) => `2026-06-05 08:${10 + row}:00`, "times"],
  ["Zzyx", (row: number) => `€ ${row},50`, "amounts of money"],
  ["Zzyx", (row: number) => `p${row}@example.com`, "email addresses"],
  ["Zzyx", (row: number) => `+49 171 55501${10 + row}`, "phone numbers"],
  ["Zzyx", (row: number) => `B-XY ${100 + row}`, "license plates"],
  [
    "Zzyx",
    (row: number) => `${10 + (row % 18)}/0${1 + (row % 9)}/1869`,
    "dates in a format or calendar that is not known",
  ],
  ["Zzyx", (row: number) => String(1_780_000_000 + row), "times in seconds or milliseconds since 1970"],
  ["หมายเลข", (row: number) => `X${9000 + row}Y`, "license plates"],
])("a column that no name explains is asked about by its content: %s", async (name, cell, looks) => {
  expect(asked(await suggest({ [name]: cell }), "columnMeans")?.data).toEqual({ column: name, looks });
});

test("a repeated id is asked about, apart from rows that are equal", async () => {
  const other = asked(await suggest({ "Ticket No": (row) => `T-${row % 28}` }), "keyRepeated");
  expect(other?.data).toEqual({ column: "Ticket No", equal: 0, other: 2 });
  expect(givenBy(other, "hash of the row")).toMatch(/^transactionId: [0-9a-f]{32}$/);
});

test("a file without an id offers unique columns, pairs and a hash", async () => {
  const question = asked(await suggest({}, { without: ["Ticket No"] }), "requiredMissing");
  expect(question?.choices.map(({ id }) => id)).toContain("hash of the row");
});

test("the zone of a header is used", async () => {
  const times = {
    "Entry (UTC)": "2026-06-05 08:15:00",
    "Paid at (UTC)": (row: number) => `2026-06-05 10:${10 + row}:00`,
  };
  const utc = await suggest(times, { without: ["Payment Time"] });
  expect(utc.mapping.timeZone).toBe("UTC");
  const mixed = await suggest(
    { ...times, "Exit Time": "2026-06-05 09:15:00" },
    { without: ["Payment Time"] },
  );
  expect(asked(mixed, "zoneAsked")).toBeDefined();
});

test("an optional value that is not valid may be left out of its row", async () => {
  const question = asked(
    await suggest({
      Email: (row) => `p${row}@example.com`,
      Phone: (row) => (row < 3 ? "12" : `+1 555 010 ${1000 + row}`),
    }),
    "rowsRejected",
  );
  expect(question?.rows).toBe(3);
  expect(givenBy(question, "leave-out")).toBe("left out");
});

test("make and color without a plate, and names without an address, stay in the metadata", async () => {
  const { mapping } = await suggest({
    "Vehicle Make": "Ford",
    Color: "red",
    "First Name": (row) => `Jo${"abcdefghijklmnopqrstuvwxyzabcdef"[row]}`,
  });
  expect(mapping.columns).toMatchObject({
    "Vehicle Make": "metadata.Vehicle Make",
    Color: "metadata.Color",
    "First Name": "metadata.First Name",
  });
});

test("an account reference may resolve nowhere, so it is asked about", async () => {
  const question = asked(
    await suggest({ "Customer ID": (row) => `C${row}`, Company: (row) => `Acme ${row}` }),
    "accountReference",
  );
  expect(question?.choices.map(({ id }) => id)).toEqual(["existing", "create", "metadata"]);
});

const stays: Cells = {
  Date: (row) => `2026-06-${String(1 + (row % 28)).padStart(2, "0")}`,
  "Time In": (row) => (row % 10 === 3 ? "23:10" : "10:15"),
  "Time Out": (row) => (row % 10 === 3 ? "00:40" : "11:20"),
};

test("an exit after midnight without its own date is asked about, whether or not the zone is known", async () => {
  for (const more of [{}, { Garage: "Unknown" }]) {
    const found = asked(await suggest({ ...stays, ...more }, { without: ["Payment Time"] }), "overnight");
    expect(found?.rows).toBe(3);
    expect(found?.choices.map(({ id }) => id)).toEqual(["next day", "keep", "without end"]);
    expect(found?.data["columns"]).toEqual(["Date", "Time In", "Time Out"]);
  }
  const day = { ...stays, "Time Out": "23:30" };
  expect(asked(await suggest(day, { without: ["Payment Time"] }), "overnight")).toBeUndefined();
});

test.each([
  ["buddhist", (row: number) => `${10 + (row % 18)}/06/2569 10:00`, "2026-06-10T14:00:00Z"],
  ["buddhist", (row: number) => `${13 + (row % 15)}/06/69 10:00`, "2026-06-13T14:00:00Z"],
  ["minguo", (row: number) => `115/06/${10 + (row % 18)} 10:00`, "2026-06-10T14:00:00Z"],
  ["Japanese", (row: number) => `令和8年6月${10 + (row % 18)}日 10:00`, "2026-06-10T14:00:00Z"],
  ["persian", (row: number) => `1405/03/${10 + (row % 18)} 10:00`, "2026-05-31T14:00:00Z"],
])(
  "dates of another calendar are converted and shown to be confirmed: %s",
  async (calendar, cell, moment) => {
    const { assumptions } = await suggest({ "Payment Time": cell });
    const found = assumptions.find(({ code }) => code === "calendar");
    expect(found?.data).toEqual({ column: "Payment Time", calendar });
    expect(found?.choices[0]?.gives[0]).toBe(`transactionDate: ${moment}`);
  },
);

test("years that are hardly true are asked about", async () => {
  const found = asked(
    await suggest({ "Payment Time": (row) => `2046-06-05 08:${10 + row}:00` }),
    "implausibleTimes",
  );
  expect(found).toMatchObject({ rows: 30, data: { path: "transactionDate" } });
});

test("spaces and invisible characters around ids are removed, and this is shown", async () => {
  const changes = { "Ticket No": (row: number) => (row < 5 ? `\u200eT-${1000 + row} ` : `T-${1000 + row}`) };
  const found = (await suggest(changes)).assumptions.find(({ code }) => code === "uncleanText");
  expect(found).toMatchObject({ rows: 5, assumed: "remove", data: { columns: ["Ticket No"] } });
  expect(found?.choices.map(({ gives }) => gives[0])).toEqual([
    "transactionId: T-1000",
    "transactionId: \u200eT-1000 ",
  ]);
});

test.each(["#DIV/0!", "#BEZUG!", "#NV", "####"])(
  "the error %s is an empty cell, and this is shown",
  async (error) => {
    const plate = (row: number) => (row === 4 ? error : `AB ${row}`);
    const { assumptions } = await suggest({ Plate: plate });
    expect(assumptions.find(({ code }) => code === "placeholders")?.data).toMatchObject({
      values: [{ value: error, count: 1 }],
    });
  },
);

test("ids that a spreadsheet has shortened are refused, and this is shown", async () => {
  const { assumptions } = await suggest({ "Ticket No": (row) => `1.2${300 + row}E+15` });
  expect(assumptions.find(({ code }) => code === "rowsRejected")?.text).toContain("has shortened");
});

test("amounts in digits of other scripts and with Indian groups are amounts", async () => {
  for (const amount of ["१२,३४,५६७.५०", "12,34,567.50", "１２３４５６７．５０", "₹12,34,567.50"]) {
    const { mapping } = await suggest({ "Total Amount": amount });
    expect(mapping.columns["Total Amount"]).toMatchObject({ to: "amountTotal" });
  }
});

test("times in a column that no name explains get a question about their zone", async () => {
  const { questions, assumptions } = await suggest(
    { Zzyx: (row) => `2026-06-05 08:${10 + row}:00` },
    { without: ["Payment Time"] },
  );
  expect([...questions, ...assumptions].some(({ id }) => id === "zone")).toBe(true);
});
