import { describe, expect, it } from "vitest";
import { guessChoices, missingPaths, prepareFile, repeatedPaths } from "./mapping.js";
import type { ReadFile } from "./read-file.js";

const location = {
  uuid: "01a1dd0e-4441-7266-ad97-022be11da628",
  name: "Main garage",
  address: "1 Main Street",
  city: "New York",
  state: "NY",
  zipcode: "10001",
  timeZone: "America/New_York",
  isActive: true,
  tpReferenceId: "",
};

const file = (columns: string[], ...rows: string[][]): ReadFile => ({
  name: "file.csv",
  identity: "1",
  kind: "csv",
  columns,
  rows: rows.map((cells, index) => ({ line: index + 2, cells })),
});

describe("mapping the columns of a file", () => {
  it("recognises columns whatever their case and separators", () => {
    const { columns } = guessChoices(
      file(["Transaction ID", "location_uuid", "vehicle.licensePlate", "Attendant"]),
      "transactions",
    );
    expect(columns).toEqual({
      "Transaction ID": "transactionId",
      location_uuid: "locationUuid",
      "vehicle.licensePlate": "vehicle.licensePlate",
      Attendant: null,
    });
  });

  it("says which required fields nothing goes to, and which several columns go to", () => {
    const choices = {
      columns: { a: "transactionId", b: "type", c: "type" },
      constants: [{ path: "locationUuid", value: location.uuid }],
      zone: "as-is",
    };
    expect(missingPaths("transactions", choices)).toEqual(["transactionDate"]);
    expect(repeatedPaths(choices)).toEqual(["type"]);
  });

  it("makes records with fixed values, names of enumerations, exact amounts and local times turned into UTC", () => {
    const choices = {
      columns: {
        id: "transactionId",
        kind: "type",
        at: "transactionDate",
        sum: "amountTotal",
        who: "metadata.who",
      },
      constants: [
        { path: "locationUuid", value: location.uuid },
        { path: "", value: "ignored" },
      ],
      zone: "location",
    };
    const rows = file(
      ["id", "kind", "at", "sum", "who"],
      ["T-1", "Reservation", "2026-03-31 23:30:00", "12.3456789012345678901", ""],
    );
    const [record] = prepareFile(rows, "transactions", choices, [location]);
    expect(record?.text).toContain('"amountTotal":12.3456789012345678901');
    expect(JSON.parse(record?.text ?? "")).toMatchObject({
      transactionId: "T-1",
      locationUuid: location.uuid,
      type: 4,
      transactionDate: "2026-04-01T03:30:00Z",
    });
  });

  it("refuses a record of an unknown location when its times go by the clock there", () => {
    const rows = file(
      ["transactionId", "locationUuid", "transactionDate"],
      ["T-1", location.uuid.toUpperCase(), "2026-03-31 23:30:00"],
      ["T-2", "nowhere", "2026-03-31 23:30:00"],
    );
    const choices = guessChoices(rows, "transactions");
    const prepare = (zone: string) => prepareFile(rows, "transactions", { ...choices, zone }, [location]);
    expect(prepare("location").map(({ refusal }) => refusal)).toEqual([
      undefined,
      { reference: "T-2", detail: "There is no location nowhere, so its local times cannot be converted" },
    ]);
    expect(prepare("UTC").map(({ refusal }) => refusal)).toEqual([undefined, undefined]);
  });

  it("sends the lines of an NDJSON file as they are", () => {
    const line = '{"tpReferenceId":"A-1","name":"Acme","metadata":{"n":12345678901234567890}}';
    const ndjson: ReadFile = { ...file(["record"], [line]), kind: "ndjson" };
    const [record] = prepareFile(ndjson, "accounts", guessChoices(ndjson, "accounts"), []);
    expect(record?.text).toBe(line);
  });
});
