import type { Location } from "@gatehouse-parking/contract";
import { profileOfSamples, suggestMapping, toMapping } from "@gatehouse-parking/record-files";
import { describe, expect, it } from "vitest";
import { previewRows } from "../preview/preview.js";
import {
  choicesOf,
  contentOf,
  withColumn,
  type ColumnChoice,
  type MappingChoices,
} from "./mapping-choices.js";
import {
  allQuestions,
  answeredMapping,
  confirmAll,
  openQuestions,
  settledByFields,
  settledByHand,
  withAnswers,
} from "../questions/answers.js";
import { gapsOf } from "./gaps.js";

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
const suggestionFor = (rows = american) =>
  suggestMapping({ resource, profile: profileOfSamples(samplesOf(rows)), locations });
const suggested = (rows = american): MappingChoices => choicesOf(answeredMapping(suggestionFor(rows), {}));
const gapsFor = (choices: MappingChoices, rows = american) =>
  gapsOf({ resource, choices, samples: samplesOf(rows), open: [] });
const changed = (choices: MappingChoices, column: string, part: Partial<ColumnChoice>): MappingChoices =>
  withColumn(choices, column, [{ ...(choices.columns[column]?.[0] as ColumnChoice), ...part }]);
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
        Paid: ["sessionEnd", { to: "metadata.paid", prefix: "A-", with: ["Day", "Hour"], hash: true }],
        Fee: { to: "amountTotal", scale: "0.01" },
        Out: { to: "sessionEnd", after: "sessionStart", timeOfDay: "refuse", trim: false },
      },
      constants: { bookingSource: "Website", "metadata.lane": 4, isRefunded: false },
      leaveOut: [{ column: "Kind", values: ["VOID"] }],
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

describe("questions about a file", () => {
  const suggestion = suggestionFor();
  const dates = suggestion.questions.find(({ code }) => code === "ambiguousTimes");

  it("are open until each has an answer, and assumptions are confirmed together", () => {
    expect(dates).toBeDefined();
    const confirmed = confirmAll(suggestion.assumptions);
    expect(openQuestions(suggestion, confirmed)).toEqual(suggestion.questions);
    const answers = Object.fromEntries(
      allQuestions(suggestion).map(({ id, choices }) => [id, choices[0]?.id ?? ""]),
    );
    expect(openQuestions(suggestion, answers)).toEqual([]);
  });

  it("change the mapping at once, and a changed answer replaces the earlier one", () => {
    const [first = "", second = ""] = dates?.choices.map(({ id }) => id) ?? [];
    const given = (choice: string) => answeredMapping(suggestion, { [dates?.id ?? ""]: choice });
    const timeOf = (mapping: object) =>
      choicesOf(mapping as Record<string, unknown>).columns["Paid at"]?.[0]?.time;
    expect(timeOf(given(first))).not.toEqual(timeOf(given(second)));
    const edited = { ...given(first), trim: true };
    expect(withAnswers(edited, given(first), given(second))).toEqual({ ...given(second), trim: true });
    const byHand = { ...given(first), columns: { ...(given(first)["columns"] as object), "Paid at": null } };
    expect(withAnswers(byHand, given(first), given(second))["columns"]).toMatchObject({ "Paid at": null });
  });

  it("add to what a person has changed in the same column, and to all of its fields", () => {
    const before = {
      columns: { Type: "type", Paid: ["sessionEnd", { to: "transactionDate", prefix: "x" }] },
      leaveOut: [{ column: "Status", values: ["VOID"] }],
    };
    const after = {
      columns: {
        Type: { to: "type", values: { VALET: "Monthly" } },
        Paid: [
          { to: "sessionEnd", time: "d/M/yyyy" },
          { to: "transactionDate", time: "d/M/yyyy" },
        ],
      },
      leaveOut: [
        { column: "Status", values: ["VOID"] },
        { column: "Kind", values: ["TEST"] },
      ],
    };
    const edited = {
      columns: {
        Type: { to: "type", onProblem: "leaveOut" },
        Paid: ["sessionEnd", { to: "transactionDate", prefix: "y" }, "metadata.paid"],
      },
    };
    expect(withAnswers(edited, before, after)).toEqual({
      columns: {
        Type: { to: "type", onProblem: "leaveOut", values: { VALET: "Monthly" } },
        Paid: [
          { to: "sessionEnd", time: "d/M/yyyy" },
          { to: "transactionDate", prefix: "y", time: "d/M/yyyy" },
          "metadata.paid",
        ],
      },
      leaveOut: [{ column: "Kind", values: ["TEST"] }],
    });
  });

  it("about a required field are settled once the mapping has a source for it", () => {
    const rows = rowsOf(["T-1", "Main garage", "Something", "2026-03-04T23:30:00Z", "1"]);
    const columns = samplesOf(rows).filter(({ name }) => name !== "Type");
    const without = suggestMapping({ resource, profile: profileOfSamples(columns), locations });
    expect(settledByFields(without, ["type"])).toEqual({});
    expect(settledByFields(without, [])).toEqual({ "required:type": "own" });
  });

  it("are settled by a change of the same format or word by hand, and by another field", () => {
    const before = answeredMapping(suggestion, {});
    const settled = (choices: MappingChoices) =>
      Object.keys(settledByHand(openQuestions(suggestion, {}), before, contentOf(choices, {})));
    expect(settled(choicesOf(before))).toEqual([]);
    const set = changed(choicesOf(before), "Paid at", { time: "M/d/yyyy h:mm a" });
    expect(settled(set)).toContain(dates?.id);
    expect(settled(changed(choicesOf(before), "Type", { values: { VALET: "Flex" } }))).toEqual([
      "value:Type:VALET",
    ]);
    expect(settled(withColumn(choicesOf(before), "Type", []))).toContain("value:Type:VALET");
  });

  it("remove the rows that an earlier answer left out", () => {
    const filters = { leaveOut: [{ column: "Status", values: ["VOID"] }] };
    expect(withAnswers({ columns: {}, ...filters }, { columns: {}, ...filters }, { columns: {} })).toEqual({
      columns: {},
    });
  });
});

describe("gaps of a mapping", () => {
  it("name a date that is ambiguous in a column that the person chose", () => {
    const choices = changed(suggested(), "Paid at", { time: undefined });
    const gap = {
      column: "Paid at",
      text: "“03/04/2026 11:30 PM” can be two different dates. Choose the date format.",
    };
    expect(gapsFor(choices)).toContainEqual(gap);
    const answered = changed(choices, "Paid at", { time: "M/d/yyyy h:mm a" });
    expect(gapsFor(answered)).toEqual([]);
    // Two formats at once do not settle it.
    const open = changed(choices, "Paid at", { time: ["M/d/yyyy h:mm a", "d/M/yyyy h:mm a"] });
    expect(gapsFor(open)).toContainEqual(gap);
  });

  it("are not listed while a question asks for the same", () => {
    const choices = changed(suggested(), "Paid at", { time: undefined });
    const open = openQuestions(suggestionFor(), {});
    expect(gapsOf({ resource, choices, samples: samplesOf(american), open })).toEqual([]);
  });

  it("are required fields without a column, and fields with several columns", () => {
    const none = withColumn(suggested(), "Ticket No", []);
    expect(gapsFor(none)[0]?.text).toContain("Every record needs transactionId.");
    const withConstant = { ...none, constants: [{ path: "transactionId", value: "T" }] };
    expect(gapsFor(withConstant).some(({ text }) => text.includes("Every record needs"))).toBe(false);
    const twice = withColumn(suggested(), "Type", [{ to: "transactionId" }]);
    expect(gapsFor(twice).map(({ text }) => text)).toContain(
      "Several columns are mapped to transactionId. Leave out all but one of them.",
    );
  });

  it("are dates that would become midnight without a word", () => {
    const rows = rowsOf(["T-1", "Main garage", "Transient", "2026-03-04", "1"]);
    const choices = (part: object) => ({
      ...withColumn(suggested(rows), "Paid at", [{ to: "transactionDate", ...part }]),
      timeZone: "location",
    });
    const gap = { column: "Paid at", text: "Some dates have no time. Choose the time that they get." };
    expect(gapsFor(choices({}), rows)).toEqual([gap]);
    expect(gapsFor(choices({ time: "yyyy-MM-dd" }), rows)).toEqual([gap]);
    for (const timeOfDay of ["00:00", "refuse"]) expect(gapsFor(choices({ timeOfDay }), rows)).toEqual([]);
  });

  it("are times without a time zone, and invalid formats", () => {
    const choices = changed({ ...suggested(), timeZone: null }, "Paid at", { time: "M/d/yyyy h:mm a" });
    expect(gapsFor(choices).map(({ text }) => text)).toContain(
      "The times in “Paid at” have no time zone. Choose one below.",
    );
    const utc = rowsOf(["T-1", "Main garage", "Transient", "2026-03-04T23:30:00Z", "1"]);
    expect(gapsFor({ ...suggested(utc), timeZone: null }, utc)).toEqual([]);
    expect(gapsFor(changed(suggested(), "Paid at", { time: "whenever" }))).toContainEqual({
      column: "Paid at",
      text: "“whenever” is not a valid time format.",
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
      isAmount: false,
      original: "03/04/2026 11:30 PM",
      // Local time at the location, five hours behind UTC on that day.
      sent: "2026-03-05T04:30:00Z",
      problems: [],
    });
    expect(cell(first, "locationUuid")?.sent).toBe(location.uuid);
    expect(cell(first, "amountTotal")).toMatchObject({ original: "$12.50", sent: "12.50" });
    expect(cell(second, "type")?.problems.join()).toContain("must be");
  });

  it("describes the problem of a cell without mentioning command-line options", () => {
    const [row] = preview(changed(suggested(), "Paid at", { time: undefined }));
    const date = row?.cells.find(({ path }) => path === "transactionDate");
    expect(date?.problems).toEqual(["can be read as M/d/yyyy h:mm a and as d/M/yyyy h:mm a"]);
  });

  it("rejects a location of another organization", () => {
    const unknown = "01a1dd0e-4441-7266-ad97-000000000000";
    const rows = rowsOf(["T-1", unknown, "Transient", "2026-03-04T23:30:00Z", "1"]);
    const choices = withColumn(suggested(rows), "Garage", [{ to: "locationUuid" }]);
    const cell = preview(choices, rows)[0]?.cells.find(({ path }) => path === "locationUuid");
    expect(cell?.problems).toEqual(["is not a location of the organization"]);
  });
});
