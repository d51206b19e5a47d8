import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import fc from "../../../../testing/properties.js";
import { problemsText } from "../messages.js";
import { toMapping } from "./mapping.js";
import { prepareRows, type Prepared } from "./prepare.js";

function prepare(mapping: unknown, row: Record<string, string>): Prepared {
  return prepareRows(Object.keys(row), "transactions", {
    mapping: toMapping(mapping),
    ignoreUnknownColumns: false,
    timeZone: "America/New_York",
    asksAboutTimes: true,
  })({ line: 2, cells: Object.values(row) });
}
const record = (mapping: unknown, row: Record<string, string>): unknown => {
  const { text } = prepare(mapping, row);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
};
const detail = (mapping: unknown, row: Record<string, string>) =>
  problemsText(prepare(mapping, row).refusal?.problems ?? []);

test("a column can have several targets, and several targets can share a column", () => {
  const time = ["MM/dd/yyyy h:mm a"];
  const mapping = {
    columns: {
      "Paid at": [{ to: "transactionDate", time }, { to: "metadata.paid" }],
      Date: [
        { to: "sessionStart", with: "In", time },
        { to: "sessionEnd", with: ["Out"], time },
      ],
    },
  };
  const row = { "Paid at": "03/04/2026 9:00 AM", Date: "03/04/2026", In: "8:00 AM", Out: "9:30 AM" };
  const expected = {
    transactionDate: "2026-03-04T14:00:00Z",
    metadata: { paid: "03/04/2026 9:00 AM" },
    sessionStart: "2026-03-04T13:00:00Z",
    sessionEnd: "2026-03-04T14:30:00Z",
  };
  expect(record(mapping, row)).toEqual(expected);
  expect(record(mapping, { record: JSON.stringify(row) })).toEqual(expected);
});

test("a date in three columns is joined", () => {
  const mapping = {
    columns: { Y: { to: "transactionDate", with: ["M", "D", "T"], time: "yyyy M d HH:mm" } },
  };
  expect(record(mapping, { Y: "2026", M: "3", D: "4", T: "10:15" })).toEqual({
    transactionDate: "2026-03-04T15:15:00Z",
  });
});

test("two targets of one column must be different fields", () => {
  expect(() => prepare({ columns: { A: ["cardType", "cardType"] } }, { A: "1" })).toThrow(
    'the columns "A" and "A" are both mapped to cardType',
  );
});

test("a scale moves the decimal point of the cells, but not of constants and replaced values", () => {
  const mapping = {
    columns: {
      Total: { to: "amountTotal", scale: "0.01", number: "1.234,50", values: { FREE: 0.5 } },
      Net: { to: "netAmount", scale: 100 },
    },
    constants: { netAmount: 7 },
  };
  expect(prepare(mapping, { Total: "5.010", Net: "" }).text).toBe('{"amountTotal":50.10,"netAmount":7}');
  expect(prepare(mapping, { Total: "FREE", Net: "1.5" }).text).toBe('{"amountTotal":0.5,"netAmount":150}');
  expect(prepare(mapping, { record: '{"Total":5010,"Net":"-.5"}' }).text).toBe(
    '{"amountTotal":50.10,"netAmount":-50}',
  );
  expect(detail(mapping, { Total: "50,1,0", Net: "" })).toBe(
    'amountTotal "50,1,0" does not have the format 1.234,50',
  );
});

test("text can be joined, prefixed and hashed", () => {
  const columns = (target: object) => ({ columns: { Garage: { to: "transactionId", ...target } } });
  const joined = columns({ with: "Ticket", separator: "-", prefix: "A-" });
  expect(record(joined, { Garage: " G1", Ticket: "7 " })).toEqual({ transactionId: "A-G1-7" });
  expect(record(joined, { record: '{"Garage":"G1","Ticket":7}' })).toEqual({ transactionId: "A-G1-7" });
  const hashed = columns({ with: "Ticket", hash: true, prefix: "p" });
  const hash = (text: string) => `p${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
  expect(record(hashed, { Garage: "Zoë", Ticket: "7" })).toEqual({ transactionId: hash("Zoë\u001f7") });
  expect(record(hashed, { Garage: "", Ticket: " " })).toEqual({});
});

test("rows with different cells never get the same joined id, even if a cell is empty", () => {
  const mapping = {
    columns: { a: { to: "transactionId", with: ["b", "c"], separator: "|" } },
    empty: ["none"],
  };
  expect(record(mapping, { a: "1", b: "none", c: "2" })).toEqual({ transactionId: "1||2" });
  expect(record(mapping, { a: "1", b: "2", c: "" })).toEqual({ transactionId: "1|2|" });
});

test("an optional field is left out where its value is not valid, with the reason", () => {
  const mapping = {
    columns: {
      Phone: { to: "contact.phoneNumber", onProblem: "leaveOut" },
      Mail: "contact.email",
      Out: { to: "sessionEnd", time: "dd.MM.yyyy HH:mm", onProblem: "leaveOut" },
    },
  };
  const prepared = prepare(mapping, { Phone: "call me", Mail: "jo@example.com", Out: "soon" });
  expect(JSON.parse(prepared.text as string)).toEqual({ contact: { email: "jo@example.com" } });
  expect(prepared.leftOut.map(({ path, code, value }) => ({ path, code, value }))).toEqual([
    { path: "sessionEnd", code: "notTime", value: "soon" },
    { path: "contact.phoneNumber", code: "notValid", value: "call me" },
  ]);
});

test("an object that needs a field is left out with it", () => {
  const mapping = {
    columns: { Plate: { to: "vehicle.licensePlate", onProblem: "leaveOut" }, Make: "vehicle.make" },
  };
  expect(record(mapping, { Plate: "", Make: "Fiat" })).toEqual({});
  expect(prepare(mapping, { Plate: "", Make: "Fiat" }).leftOut).toMatchObject([
    { path: "vehicle", code: "notValid" },
  ]);
  expect(record(mapping, { Plate: "B 1", Make: "Fiat" })).toEqual({
    vehicle: { licensePlate: "B 1", make: "Fiat" },
  });
});

test("rows are left out by a word in a column, in any case, and are neither sent nor failed", () => {
  const mapping = {
    columns: { Id: "transactionId" },
    leaveOut: [
      { column: "Status", values: ["VOID", "test"] },
      { column: "type", values: "99" },
    ],
  };
  const row = (Status: string, type: string) => ({ Id: "1", Status, type });
  expect(prepare(mapping, row("Void ", "1"))).toMatchObject({
    text: undefined,
    refusal: undefined,
    filteredBy: { column: "Status", value: "Void " },
  });
  expect(prepare(mapping, row("ok", "99"))).toMatchObject({ filteredBy: { column: "type" } });
  // A column of a filter that is also a field keeps its field.
  expect(record(mapping, row("ok", "1"))).toEqual({ transactionId: "1", type: 1 });
  expect(record(mapping, { record: JSON.stringify(row("ok", "1")) })).toEqual({
    transactionId: "1",
    type: 1,
  });
  expect(prepare(mapping, { record: JSON.stringify(row("TEST", "1")) })).toMatchObject({
    filteredBy: { column: "Status", value: "TEST" },
  });
  expect(() => prepare(mapping, { Id: "1" })).toThrow('the mapping uses the column "Status"');
});

test("filters divide the rows: each row is either sent or left out by its word", () => {
  const words = fc.array(fc.string({ maxLength: 3 }), { maxLength: 5 });
  fc.assert(
    fc.property(words, fc.array(fc.string({ maxLength: 3 })), (values, cells) => {
      const convert = prepareRows(["Id", "S"], "transactions", {
        mapping: toMapping({ columns: { Id: "transactionId" }, leaveOut: [{ column: "S", values }] }),
        ignoreUnknownColumns: false,
        timeZone: undefined,
      });
      const left = new Set(values.map((value) => value.trim().toLowerCase()));
      for (const cell of cells) {
        const { text, filteredBy } = convert({ line: 2, cells: ["1", cell] });
        expect(text === undefined).toBe(left.has(cell.trim().toLowerCase()));
        expect(filteredBy === undefined).toBe(text !== undefined);
      }
    }),
  );
});

test("a list with one target means the same as the target", () => {
  const target = fc.record(
    {
      to: fc.constant("transactionId"),
      with: fc.constantFrom("B", ["B"], ["B", "C"]),
      separator: fc.string({ maxLength: 2 }),
      prefix: fc.string({ maxLength: 2 }),
      hash: fc.boolean(),
      empty: fc.constant(["x"]),
    },
    { requiredKeys: ["to"] },
  );
  const cells = fc.array(fc.constantFrom("", "x", "1", " y "), { minLength: 3, maxLength: 3 });
  fc.assert(
    fc.property(target, cells, (one, [A = "", B = "", C = ""]) => {
      const others = { B: null, C: null };
      const row = { A, B, C };
      expect(prepare({ columns: { A: [one], ...others } }, row)).toEqual(
        prepare({ columns: { A: one, ...others } }, row),
      );
    }),
  );
});

test("only the row whose time is empty has a problem, unless the mapping gives a time of day", () => {
  const columns = (timeOfDay?: string) => ({
    columns: { D: { to: "sessionStart", with: "T", time: "dd.MM.yyyy HH:mm", timeOfDay } },
  });
  expect(record(columns(), { D: "01.07.2026", T: "08:15" })).toEqual({
    sessionStart: "2026-07-01T12:15:00Z",
  });
  expect(prepare(columns(), { D: "01.07.2026", T: "" }).refusal?.problems).toMatchObject([
    { path: "sessionStart", code: "noTimeOfDay", value: "01.07.2026", columns: ["D", "T"] },
  ]);
  expect(record(columns("23:59"), { D: "01.07.2026", T: "" })).toEqual({
    sessionStart: "2026-07-02T03:59:00Z",
  });
  expect(detail(columns("00:00"), { D: "noon", T: "" })).toContain("is not a time in the format");
});

test("a date never becomes midnight in silence if the mapping was made for the file", () => {
  const row = { transactionDate: "2026-07-01" };
  const question = {
    ...{ id: "q", kind: "question", code: "c", data: {}, text: "?", rows: 1, samples: [], choices: [] },
  };
  expect(detail({ questions: [question] }, row)).toContain("is a date without a time");
  expect(
    detail({ columns: { transactionDate: { to: "transactionDate", time: "yyyy-MM-dd" } } }, row),
  ).toContain("is a date without a time");
  expect(
    record({ columns: { transactionDate: { to: "transactionDate", timeOfDay: "12:00:30" } } }, row),
  ).toEqual({
    transactionDate: "2026-07-01T16:00:30Z",
  });
});

test("without a mapping for the file, dates that become midnight are counted", () => {
  const mapping = { time: ["dd.MM.yyyy", "serial"] };
  expect(prepare(mapping, { transactionDate: "01.07.2026", sessionEnd: "46113" })).toMatchObject({
    text: '{"transactionDate":"2026-07-01T04:00:00Z","sessionEnd":"2026-04-01T04:00:00Z"}',
    datesWithoutTime: 2,
  });
  // A field that takes dates loses nothing.
  expect(prepare(mapping, { "subscription.startDate": "01.07.2026" }).datesWithoutTime).toBe(0);
});

test.each([
  [{ columns: { a: [] } }, 'column "a": it must be a path, null, an object'],
  [{ columns: { a: { to: "amountTotal", scale: "0.02" } } }, '"scale" must be a power of ten'],
  [{ columns: { a: { to: "sessionEnd", timeOfDay: "24:00" } } }, '"timeOfDay" must be a time'],
  [{ columns: { a: { to: "cardType", prefix: 1 } } }, '"prefix" must be a string'],
  [{ columns: { a: { to: "cardType", hash: "yes" } } }, '"hash" must be true or false'],
  [{ columns: { a: { to: "cardType", onProblem: "ignore" } } }, '"onProblem" must be one of "leaveOut"'],
  [{ columns: { a: { to: "cardType", with: [1] } } }, '"with" must be the name of a column'],
  [{ columns: { a: { to: "cardType", scale: "0.01" } } }, '"scale" cannot be used for "cardType"'],
  [{ columns: { a: { to: "amountTotal", prefix: "x" } } }, '"prefix" cannot be used for "amountTotal"'],
  [{ columns: { a: { to: "cardType", timeOfDay: "00:00" } } }, '"timeOfDay" cannot be used for "cardType"'],
  [{ columns: { a: { to: "type", onProblem: "leaveOut" } } }, 'every record needs "type"'],
  [{ columns: { a: { to: "sessionEnd", with: "a" } } }, '"with" combines date and time'],
  [{ leaveOut: { column: "a" } }, '"leaveOut" must be a list of objects'],
  [{ leaveOut: [{ column: "a", values: 1 }] }, '"values" must be a string or a list of strings'],
])("an invalid mapping is rejected with the reason: %j", (mapping, message) => {
  expect(() => prepare(mapping, { a: "" })).toThrow(message);
});

test("a time of day that would be before another time is on the next day", () => {
  const time = ["d/M/yyyy H:mm"];
  const mapping = {
    columns: {
      Date: [
        { to: "sessionStart", with: "In", time },
        { to: "sessionEnd", with: "Out", time, after: "sessionStart" },
      ],
    },
  };
  const stay = (Date: string, In: string, Out: string) => record(mapping, { Date, In, Out });
  expect(stay("01/03/2026", "23:10", "0:40")).toEqual({
    sessionStart: "2026-03-02T04:10:00Z",
    sessionEnd: "2026-03-02T05:40:00Z",
  });
  expect(stay("01/03/2026", "10:00", "10:00")).toMatchObject({ sessionEnd: "2026-03-01T15:00:00Z" });
  // Summer time begins in between.
  expect(stay("07/03/2026", "23:10", "3:40")).toMatchObject({ sessionEnd: "2026-03-08T07:40:00Z" });
  expect(detail(mapping, { Date: "07/03/2026", In: "23:10", Out: "2:40" })).toContain("does not exist in");
});

test("a time can only be after a time of the record", () => {
  const mapping = (target: unknown) => ({ columns: { A: target } });
  expect(() => prepare(mapping({ to: "sessionEnd", after: "amountTotal" }), { A: "" })).toThrow(
    '"after" cannot be used for "amountTotal"',
  );
  expect(() => prepare(mapping({ to: "cardType", after: "sessionStart" }), { A: "" })).toThrow(
    '"after" cannot be used for "cardType"',
  );
  expect(() => prepare(mapping({ to: "subscription.endDate", after: "sessionStart" }), { A: "" })).toThrow(
    '"after" cannot be used for "subscription.endDate"',
  );
});

test.each([
  ["#N/A", "is an error of a spreadsheet"],
  ["#BEZUG!", "is an error of a spreadsheet"],
  ["#NV", "is an error of a spreadsheet"],
  ["########", "is an error of a spreadsheet"],
  ["1.23457E+15", "has shortened"],
  ["1,23457E+15", "has shortened"],
  ["4E+09", "has shortened"],
])("a text that a spreadsheet has lost is refused: %s", (text, problem) => {
  expect(detail({}, { transactionId: text })).toContain(problem);
  expect(detail({ empty: [text] }, { transactionId: text })).toBe("");
});

test.each(["#1234", "#A-1!", "12E4", "4E9", "E+10", "1.5", "#", "1.2.3E+4"])("the id %s is kept", (text) => {
  expect(record({}, { transactionId: text })).toEqual({ transactionId: text });
});

test.each(["2569-03-01 10:00", "1447-09-01 10:00", "0115-03-01 10:00", "2567-01-05T10:00:00+07:00"])(
  "a year of another calendar is refused: %s",
  (time) => {
    const problem = "probably of another calendar";
    expect(detail({}, { sessionStart: time })).toContain(problem);
    expect(detail({}, { "subscription.endDate": "2569-03-01" })).toContain(problem);
    const zoned = { columns: { In: { to: "sessionStart", time: "yyyy-MM-dd'T'HH:mm:ssXXX" } } };
    expect(detail(zoned, { In: "2567-01-05T10:00:00+07:00" })).toContain(problem);
    expect(
      detail({ columns: { End: { to: "subscription.endDate", time: "d/M/yyyy" } } }, { End: "01/03/2569" }),
    ).toContain("is in the year 2569, probably of another calendar");
  },
);

test("invisible characters do not hide a number, a time, a word or an empty cell", () => {
  const mapping = { columns: { Kind: { to: "type", values: { HOURLY: "Transient" } } } };
  expect(
    record(mapping, {
      Kind: "\u200eHOURLY\u200f",
      amountTotal: "\u200e12.50\u00a0",
      sessionStart: "\u200f2026-03-04 10:00",
      cardType: "\u200b",
    }),
  ).toEqual({ type: 1, amountTotal: 12.5, sessionStart: "2026-03-04T15:00:00Z" });
  expect(record({ trim: true }, { transactionId: " \ufeffA\u200b1\t" })).toEqual({ transactionId: "A1" });
});
