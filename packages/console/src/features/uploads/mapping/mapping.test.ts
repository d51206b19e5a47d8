import type { Location } from "@gatehouse-parking/contract";
import { profileOfSamples, suggestMapping, suggestTarget, toMapping } from "@gatehouse-parking/record-files";
import { describe, expect, it } from "vitest";
import { previewRows } from "../preview/preview.js";
import {
  choicesOf,
  contentOf,
  withColumn,
  type ColumnChoice,
  type MappingChoices,
} from "./mapping-choices.js";
import { openQuestions } from "./open-questions.js";

const location = {
  uuid: "01a1dd0e-4441-7266-ad97-022be11da628",
  name: "Main garage",
  address: "1 Main Street",
  city: "New York",
  state: "NY",
  zipcode: "10001",
  timeZone: "America/New_York",
  isActive: true,
  tpReferenceId: "NYC-1",
};
const locations = [location as Location];
const resource = "transactions";

const header = ["Ticket No", "Garage", "Type", "Paid at", "Total"];
const rowsOf = (...rows: string[][]) => rows.map((cells, index) => ({ line: index + 2, cells }));
const samplesOf = (rows: readonly { cells: string[] }[]) =>
  header.map((name, position) => ({
    name,
    values: rows.map(({ cells }) => cells[position] ?? "").filter((value) => value !== ""),
  }));

const american = rowsOf(
  ["T-1", "Main garage", "Transient", "03/04/2026 11:30 PM", "$12.50"],
  ["T-2", "Main garage", "VALET", "03/05/2026 8:15 AM", "$1,234.50"],
);
const suggested = (rows = american): MappingChoices =>
  choicesOf(suggestMapping({ resource, profile: profileOfSamples(samplesOf(rows)), locations }).mapping);
const questionsFor = (choices: MappingChoices, rows = american) =>
  openQuestions({
    ...{ resource, choices, samples: samplesOf(rows), locations },
    remarks: suggestMapping({ resource, profile: profileOfSamples(samplesOf(rows)), locations }).questions,
  });
const changed = (choices: MappingChoices, column: string, part: Partial<ColumnChoice>): MappingChoices =>
  withColumn(choices, column, { ...(choices.columns[column] as ColumnChoice), ...part });
const preview = (choices: MappingChoices, rows = american) =>
  previewRows({ resource, columns: header, rows, mapping: contentOf(choices, {}), locations });

describe("mapping choices", () => {
  it("are unchanged after writing and reading a mapping file", () => {
    const file = {
      columns: {
        Ticket: "transactionId",
        Kind: { to: "type", values: { VALET: "Monthly" } },
        Day: { to: "transactionDate", time: "d.M.yyyy H:mm", with: "Hour" },
        Attendant: null,
      },
      constants: { bookingSource: "Website" },
      number: "1.234,50",
      empty: ["n/a"],
      trim: true,
      timeZone: "Europe/Berlin",
      repeatedTimes: "refuse",
    };
    expect(contentOf(choicesOf(file), {})).toEqual(file);
    expect(contentOf(choicesOf(file), { headerLine: 3 })).toEqual({ ...file, file: { headerLine: 3 } });
    expect(() => toMapping(contentOf(choicesOf(file), { delimiter: ";" }))).not.toThrow();
  });

  it("omit fixed values without a value", () => {
    const choices = { ...suggested(), constants: [{ path: "bookingSource", value: "" }] };
    expect(contentOf(choices, {})).not.toHaveProperty("constants");
  });
});

describe("open questions", () => {
  it("ask for the date format while a date is ambiguous", () => {
    const choices = suggested();
    expect(questionsFor(choices)).toContainEqual({
      column: "Paid at",
      text: "“03/04/2026 11:30 PM” can be two different dates. Choose the date format.",
      isBlocking: true,
    });
    const answered = changed(choices, "Paid at", { time: "M/d/yyyy h:mm a" });
    expect(questionsFor(answered).filter(({ column }) => column === "Paid at")).toEqual([]);
    // Two formats at once do not answer the question.
    const open = changed(choices, "Paid at", { time: ["M/d/yyyy h:mm a", "d/M/yyyy h:mm a"] });
    expect(questionsFor(open).some(({ column }) => column === "Paid at")).toBe(true);
  });

  it("cover fields that the user chose, like suggested ones", () => {
    const elsewhere = withColumn(suggested(), "Paid at", null);
    const target = suggestTarget({
      ...{ resource, locations, path: "sessionStart", column: "Paid at" },
      profile: profileOfSamples([{ name: "Paid at", values: ["03/04/2026 11:30 PM"] }]),
    });
    const choices = withColumn(
      elsewhere,
      "Paid at",
      choicesOf({ columns: { it: target } }).columns["it"] ?? null,
    );
    expect(questionsFor(choices).some(({ column, isBlocking }) => column === "Paid at" && isBlocking)).toBe(
      true,
    );
  });

  it("list unknown enumeration values without blocking the check", () => {
    const question = {
      column: "Type",
      text: "Choose what “VALET” means, or these rows will fail.",
      isBlocking: false,
    };
    expect(questionsFor(suggested())).toContainEqual(question);
    const answered = changed(suggested(), "Type", { values: { VALET: "Monthly" } });
    expect(questionsFor(answered)).not.toContainEqual(question);
  });

  it("mention a column that is named like a field but falls back to the metadata", () => {
    const mixed = rowsOf(
      ["T-1", "Main garage", "Transient", "2026-03-04T23:30:00Z", "12.50"],
      ["T-2", "Main garage", "Transient", "2026-03-04T23:30:00Z", "free"],
    );
    const question = {
      column: "Total",
      text: 'The column "Total" looks like amountTotal. Which field is it?',
      isBlocking: false,
    };
    expect(questionsFor(suggested(mixed), mixed)).toEqual([question]);
    expect(questionsFor(withColumn(suggested(mixed), "Total", { to: "amountTotal" }), mixed)).toEqual([]);
  });

  it("list required fields without a column, and fields with several columns", () => {
    const none = withColumn(suggested(), "Ticket No", null);
    expect(questionsFor(none)[0]?.text).toContain("Every record needs transactionId.");
    expect(
      questionsFor({ ...none, constants: [{ path: "transactionId", value: "T" }] })[0]?.text,
    ).not.toContain("Every record needs");
    const twice = withColumn(suggested(), "Type", { to: "transactionId" });
    expect(questionsFor(twice).map(({ text }) => text)).toContain(
      "Several columns are mapped to transactionId. Leave out all but one of them.",
    );
  });

  it("ask for the time zone of times without one", () => {
    const choices = changed({ ...suggested(), timeZone: null }, "Paid at", { time: "M/d/yyyy h:mm a" });
    expect(questionsFor(choices).map(({ text }) => text)).toContain(
      "The times in “Paid at” have no time zone. Choose one below.",
    );
    const utc = rowsOf(["T-1", "Main garage", "Transient", "2026-03-04T23:30:00Z", "1"]);
    expect(questionsFor({ ...suggested(utc), timeZone: null }, utc)).toEqual([]);
  });

  it("reject an invalid time format", () => {
    const choices = changed(suggested(), "Paid at", { time: "whenever" });
    expect(questionsFor(choices)).toContainEqual({
      column: "Paid at",
      text: "“whenever” is not a valid time format.",
      isBlocking: true,
    });
  });
});

describe("the preview", () => {
  it("shows each value as it will be sent, with the value in the file", () => {
    const choices = changed(suggested(), "Paid at", { time: "M/d/yyyy h:mm a" });
    const [first, second] = preview(choices);
    const cell = (row: typeof first, path: string) => row?.cells.find((one) => one.path === path);
    expect(cell(first, "transactionDate")).toEqual({
      path: "transactionDate",
      original: "03/04/2026 11:30 PM",
      // Local time at the location, five hours behind UTC on that day.
      sent: "2026-03-05T04:30:00Z",
      problems: [],
    });
    expect(cell(first, "locationUuid")?.sent).toBe(location.uuid);
    expect(cell(first, "amountTotal")).toMatchObject({ original: "$12.50", sent: "12.5" });
    expect(cell(second, "type")?.problems.join()).toContain("must be");
  });

  it("describes the problem of a cell without mentioning command-line options", () => {
    const [row] = preview(suggested());
    const date = row?.cells.find(({ path }) => path === "transactionDate");
    expect(date?.problems).toEqual(["can be read as M/d/yyyy h:mm a and as d/M/yyyy h:mm a"]);
  });

  it("rejects a location of another organization", () => {
    const unknown = "01a1dd0e-4441-7266-ad97-000000000000";
    const rows = rowsOf(["T-1", unknown, "Transient", "2026-03-04T23:30:00Z", "1"]);
    const choices = withColumn(suggested(rows), "Garage", { to: "locationUuid" });
    const cell = preview(choices, rows)[0]?.cells.find(({ path }) => path === "locationUuid");
    expect(cell?.problems).toEqual(["is not a location of the organization"]);
  });
});
