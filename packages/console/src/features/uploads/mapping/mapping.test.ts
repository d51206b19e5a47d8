import type { Location } from "@gatehouse-parking/contract";
import { suggestMapping, suggestTarget, toMapping } from "@gatehouse-parking/record-files";
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
  choicesOf(suggestMapping({ resource, samples: samplesOf(rows), locations }).mapping);
const listQuery = (choices: MappingChoices, rows = american) =>
  openQuestions({
    ...{ resource, choices, samples: samplesOf(rows), locations },
    remarks: suggestMapping({ resource, samples: samplesOf(rows), locations }).questions,
  });
const changed = (choices: MappingChoices, column: string, part: Partial<ColumnChoice>): MappingChoices =>
  withColumn(choices, column, { ...(choices.columns[column] as ColumnChoice), ...part });
const preview = (choices: MappingChoices, rows = american) =>
  previewRows({ resource, columns: header, rows, mapping: contentOf(choices, {}), locations });

describe("choices", () => {
  it("are the content of a mapping file, and come back from one as they were", () => {
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

  it("leave out what is not filled in yet", () => {
    const choices = { ...suggested(), constants: [{ path: "bookingSource", value: "" }] };
    expect(contentOf(choices, {})).not.toHaveProperty("constants");
  });
});

describe("questions", () => {
  it("ask about a date that can be two, until one of them is chosen", () => {
    const choices = suggested();
    expect(listQuery(choices)).toContainEqual({
      column: "Paid at",
      text: "“03/04/2026 11:30 PM” can be two different dates. Choose which one is meant.",
      isBlocking: true,
    });
    const answered = changed(choices, "Paid at", { time: "M/d/yyyy h:mm a" });
    expect(listQuery(answered).filter(({ column }) => column === "Paid at")).toEqual([]);
    // Two ways at once are no answer.
    const open = changed(choices, "Paid at", { time: ["M/d/yyyy h:mm a", "d/M/yyyy h:mm a"] });
    expect(listQuery(open).some(({ column }) => column === "Paid at")).toBe(true);
  });

  it("ask about columns that a person sends to a field as they do about suggested ones", () => {
    const elsewhere = withColumn(suggested(), "Paid at", null);
    const target = suggestTarget({
      ...{ resource, locations, path: "sessionStart" },
      column: { name: "Paid at", values: ["03/04/2026 11:30 PM"] },
    } as const);
    const choices = withColumn(
      elsewhere,
      "Paid at",
      choicesOf({ columns: { it: target } }).columns["it"] ?? null,
    );
    expect(listQuery(choices).some(({ column, isBlocking }) => column === "Paid at" && isBlocking)).toBe(
      true,
    );
  });

  it("name words that nobody understands, without which the file can go on", () => {
    const question = {
      column: "Type",
      text: "Choose what “VALET” means, or these rows will fail.",
      isBlocking: false,
    };
    expect(listQuery(suggested())).toContainEqual(question);
    const answered = changed(suggested(), "Type", { values: { VALET: "Monthly" } });
    expect(listQuery(answered)).not.toContainEqual(question);
  });

  it("tell of a column that is named like a field and goes to the metadata, until something leads there", () => {
    const mixed = rowsOf(
      ["T-1", "Main garage", "Transient", "2026-03-04T23:30:00Z", "12.50"],
      ["T-2", "Main garage", "Transient", "2026-03-04T23:30:00Z", "free"],
    );
    const question = {
      column: "Total",
      text: "Named like amountTotal, but not all that it holds can go there. Choose where it goes, or it is kept in the metadata.",
      isBlocking: false,
    };
    expect(listQuery(suggested(mixed), mixed)).toEqual([question]);
    expect(listQuery(withColumn(suggested(mixed), "Total", { to: "amountTotal" }), mixed)).toEqual([]);
  });

  it("say which needed fields nothing leads to, and which are led to twice", () => {
    const none = withColumn(suggested(), "Ticket No", null);
    expect(listQuery(none)[0]?.text).toContain("Every record needs transactionId.");
    expect(listQuery({ ...none, constants: [{ path: "transactionId", value: "T" }] })[0]?.text).not.toContain(
      "Every record needs",
    );
    const twice = withColumn(suggested(), "Type", { to: "transactionId" });
    expect(listQuery(twice).map(({ text }) => text)).toContain(
      "Several columns lead to transactionId. Leave out all but one of them.",
    );
  });

  it("ask for the clock of times without a zone", () => {
    const choices = changed({ ...suggested(), timeZone: null }, "Paid at", { time: "M/d/yyyy h:mm a" });
    expect(listQuery(choices).map(({ text }) => text)).toContain(
      "The times in “Paid at” name no time zone. Choose below whose clock they were read from.",
    );
    const utc = rowsOf(["T-1", "Main garage", "Transient", "2026-03-04T23:30:00Z", "1"]);
    expect(listQuery({ ...suggested(utc), timeZone: null }, utc)).toEqual([]);
  });

  it("refuse a pattern that is none", () => {
    const choices = changed(suggested(), "Paid at", { time: "whenever" });
    expect(listQuery(choices)).toContainEqual({
      column: "Paid at",
      text: "“whenever” is no way to write a time.",
      isBlocking: true,
    });
  });
});

describe("the preview", () => {
  it("shows values as they will be sent, beside what the file holds", () => {
    const choices = changed(suggested(), "Paid at", { time: "M/d/yyyy h:mm a" });
    const [first, second] = preview(choices);
    const cell = (row: typeof first, path: string) => row?.cells.find((one) => one.path === path);
    expect(cell(first, "transactionDate")).toEqual({
      path: "transactionDate",
      original: "03/04/2026 11:30 PM",
      // By the clock of the location, five hours behind UTC on that day.
      sent: "2026-03-05T04:30:00Z",
      problems: [],
    });
    expect(cell(first, "locationUuid")?.sent).toBe(location.uuid);
    expect(cell(first, "amountTotal")).toMatchObject({ original: "$12.50", sent: "12.5" });
    expect(cell(second, "type")?.problems.join()).toContain("must be");
  });

  it("marks the cell that cannot be sent, in words without flags of a command line", () => {
    const [row] = preview(suggested());
    const date = row?.cells.find(({ path }) => path === "transactionDate");
    expect(date?.problems).toEqual(["can be read as M/d/yyyy h:mm a and as d/M/yyyy h:mm a"]);
  });

  it("knows the locations of the organization", () => {
    const unknown = "01a1dd0e-4441-7266-ad97-000000000000";
    const rows = rowsOf(["T-1", unknown, "Transient", "2026-03-04T23:30:00Z", "1"]);
    const choices = withColumn(suggested(rows), "Garage", { to: "locationUuid" });
    const cell = preview(choices, rows)[0]?.cells.find(({ path }) => path === "locationUuid");
    expect(cell?.problems).toEqual(["is not a location of the organization"]);
  });
});
