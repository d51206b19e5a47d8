import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importLocations, type LocationImportResult } from "./import-locations.js";
import { listLocations } from "./list-locations.js";

const app = useApp();
const header = "name,address,city,state,zipcode,timeZone,tpReferenceId,isActive";

async function organization(): Promise<string> {
  return (await app.tenant()).organizationId;
}

function load(organizationId: string, lines: string[], dryRun = false): Promise<LocationImportResult> {
  const csv = lines.join("\r\n");
  return importLocations(app.database.work, { organizationId, csv, dryRun, actor: "test" });
}

async function stored(organizationId: string): Promise<string[]> {
  const page = await listLocations(app.database.work, {
    organizationId,
    query: undefined,
    page: { page: 1, pageSize: 500 },
  });
  return page.data.map(({ name, timeZone, isActive }) => `${name} ${timeZone} ${isActive}`);
}

test("rows are created; the same file again changes nothing; an edited row is updated", async () => {
  const organizationId = await organization();
  const rows = [
    header,
    'North,"1 Main St, rear",Chicago,IL,60601,America/Chicago,N-1,',
    "South,2 Main St,Kolkata,WB,700016,Asia/Kolkata,,no",
  ];
  expect(await load(organizationId, rows)).toMatchObject({ created: 2, updated: 0, unchanged: 0 });
  expect(await load(organizationId, rows)).toMatchObject({ created: 0, updated: 0, unchanged: 2 });
  const edited = [header, "North Garage,1 Main St,Chicago,IL,60601,America/Chicago,N-1,", ...rows.slice(2)];
  const result = await load(organizationId, edited);
  expect(result).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
  expect(result.locations[0]).toMatchObject({ line: 2, outcome: "updated", name: "North Garage" });
  expect(await stored(organizationId)).toEqual([
    "Main garage America/New_York true",
    "North Garage America/Chicago true",
    "South Asia/Kolkata false",
  ]);
});

test("column names are recognized in any spelling, with a byte order mark and extra columns", async () => {
  const organizationId = await organization();
  const csv = ["\ufeffName,ADDRESS,City,State,Zip code,Time zone,Phone", "A,1,B,C,2,Europe/London,+44"];
  expect(await load(organizationId, csv)).toMatchObject({ created: 1 });
});

test("a dry run reports the same and stores nothing", async () => {
  const organizationId = await organization();
  const rows = [header, "North,1 Main St,Chicago,IL,60601,America/Chicago,,"];
  expect(await load(organizationId, rows, true)).toMatchObject({ created: 1 });
  expect(await stored(organizationId)).toHaveLength(1);
});

test("one wrong row rejects the whole file, and every problem names its line", async () => {
  const organizationId = await organization();
  const rows = [
    header,
    "North,1 Main St,Chicago,IL,60601,America/Chicago,N-1,",
    "South,2 Main St,Chicago,IL,60601,Chicago time,,",
    ",,Chicago,IL,60601,America/Chicago,,",
    "West,4 Main St,Chicago,IL,60601,America/Chicago,N-1,",
  ];
  await expect(load(organizationId, rows)).rejects.toThrow(
    [
      "Nothing was stored. The file has 4 problems:",
      '  line 3: "Chicago time" is not an IANA time zone such as America/New_York',
      "  line 4: name must not be empty",
      "  line 4: address must not be empty",
      "  line 5: is the same location as line 2",
    ].join("\n"),
  );
  await expect(
    load(organizationId, [header, "A,1,B,C,2,UTC,X,maybe", "B,1,B,C,2,UTC,X,yes"]),
  ).rejects.toThrow(/line 2: isActive must be true or false.*\n.*line 3: is the same location as line 2/);
  expect(await stored(organizationId)).toHaveLength(1);
});

test("semicolons work as separators, as some spreadsheets write them", async () => {
  const organizationId = await organization();
  const rows = [header.replaceAll(",", ";"), "Süd;Weg 1, Hof 2;Berlin;BE;10115;Europe/Berlin;S-1;"];
  const { locations } = await load(organizationId, rows);
  expect(locations).toMatchObject([{ name: "Süd", address: "Weg 1, Hof 2", tpReferenceId: "S-1" }]);
});

test.each([
  ["a header that lacks columns", ["name,city", "A,B"], /The header lacks address, state, zipcode, timeZone/],
  ["no rows", [header], /no rows below its header/],
  ["rows of another length", [header, "A,B"], /not valid CSV.*line 2/],
  [
    "far too many rows",
    [header, ...Array.from({ length: 10_001 }, () => "A,1,B,C,2,UTC,,")],
    /more than 10000 rows/,
  ],
  ["a header of commas", [",".repeat(10_000)], /header has 10001 columns; at most 100/],
  ["more commas than any file has", [",".repeat(100_000)], /the row has more than 16,384 cells/],
  ["more than is read at once", [header, "x".repeat(5 * 1024 * 1024)], /at most 5242880 are read at once/],
  ["an open quote", [header, '"A,1,B,C,2,UTC,,'], /not valid CSV/],
])("%s is rejected with advice", async (_case, lines, message) => {
  await expect(load(await organization(), lines)).rejects.toThrow(message);
});

test("a multi-byte character that is split between two reads is decoded correctly", async () => {
  const organizationId = await organization();
  const row = (index: number) => `Straße ${index} 😀é,${index} Main St,Zürich,ZH,8001,Europe/Zurich,,`;
  const rows = Array.from({ length: 300 }, (_, index) => row(index));
  const { locations } = await load(organizationId, [header, ...rows], true);
  expect(locations.map(({ name }) => name)).toEqual(rows.map((line) => line.split(",")[0]));
});

test("reading a large file does not block other requests", async () => {
  const organizationId = await organization();
  const rows = Array.from({ length: 3_000 }, (_, index) => `A${index},1 Main St,Town,ST,1,Nowhere/At_All,,`);
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await expect(load(organizationId, [header, ...rows])).rejects.toThrow("3000 problems");
  isOver = true;
  expect(turns).toBeGreaterThan(20);
});
