import { expect, test } from "vitest";
import { asked, givenBy, suggest } from "../../testing/suggestion.js";
import { applyAnswers, type MappingQuestion } from "../record/questions.js";
import { mappingWithQuestions } from "./suggest.js";

test("a clean file leads to no question, and its assumptions list the fields, words and the zone", async () => {
  const { questions, assumptions } = await suggest();
  expect(questions.map(({ text }) => text)).toEqual([]);
  expect(assumptions.map(({ code }) => code)).toEqual(["knownWords", "fields", "zone"]);
});

test("a column Paid with 1 and 0 is not an amount", async () => {
  const suggestion = await suggest({ Paid: (row) => String(row % 2) }, { without: ["Total Amount"] });
  expect(suggestion.mapping.columns["Paid"]).toBe("metadata.Paid");
  expect(asked(suggestion, "unpaidRows")?.rows).toBe(15);
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

test("a question that is open in every row hides no other question", async () => {
  const suggestion = await suggest({
    Garage: (row) => `Unknown ${row % 3}`,
    "Payment Time": (row) => `0${1 + (row % 9)}/0${1 + (row % 8)}/2026 10:00`,
    "Ticket No": (row) => `T-${row % 29}`,
    Waehrung: (row) => (row % 5 === 0 ? "CHF" : "EUR"),
  });
  const codes = suggestion.questions.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(["ambiguousTimes", "keyRepeated", "currencies"]));
});

test("a plate in two columns can be joined, and a currency in a name makes its numbers money", async () => {
  const suggestion = await suggest({
    "Plate Code": (row) => "ABC"[row % 3] ?? "",
    "Plate No": (row) => String(10_000 + row),
    "Zzyx (AED)": (row) => (row % 8 === 0 ? "FREE" : String(4 + row)),
  });
  expect(givenBy(asked(suggestion, "contested"), "Plate Code + Plate No")).toContain("licensePlate: A 10000");
  expect(asked(suggestion, "columnMeans")?.data).toEqual({ column: "Zzyx (AED)", looks: "amounts of money" });
  expect(asked(suggestion, "otherValues")?.choices.map(({ id }) => id)).toContain("zero");
  const total = await suggest({ "Total Amount": (row) => (row % 8 === 0 ? "FREE" : `${4 + row}.50`) });
  expect(givenBy(asked(total, "otherValues"), "zero")).toBe("amountTotal: 0");
});

test("a column that is the answer to two questions goes to both fields", async () => {
  const zzyx = (row: number) =>
    row % 13 === 5 ? "running" : `2026-06-${10 + (row % 18)} 1${row % 10}:15:00`;
  const suggestion = await suggest({ Zzyx: zzyx }, { without: ["Payment Time"] });
  const answered = ({ id, choices, assumed }: MappingQuestion) => {
    const wanted = id === "column:Zzyx" ? /^sessionEnd/ : /^Zzyx/;
    return [id, (choices.find((choice) => wanted.test(choice.id)) ?? choices[0])?.id ?? assumed];
  };
  const questions = [...suggestion.questions, ...suggestion.assumptions];
  const answers = Object.fromEntries(questions.map(answered));
  const { content } = applyAnswers({ ...mappingWithQuestions(suggestion), answers });
  expect(content["columns"]).toMatchObject({ Zzyx: ["sessionEnd", "transactionDate"] });
});
