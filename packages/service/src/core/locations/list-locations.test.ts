import type { Location } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp, type Answer } from "../../../testing/harness.js";
import { createLocation } from "./manage-locations.js";

const gatehouse = useApp();
const list = (key: string, query = "") =>
  gatehouse.send({ method: "GET", url: `/integrations/locations${query}`, key });

/** @covers R5, R201, R202 */
test("a location is listed with its fields and the page number", async () => {
  const { apiKey, locationUuid } = await gatehouse.tenant({ location: { tpReferenceId: "GARAGE-1" } });
  const answer = await list(apiKey);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    data: [
      {
        uuid: locationUuid,
        name: "Main garage",
        address: "1 Main Street",
        city: "New York",
        state: "NY",
        zipcode: "10001",
        timeZone: "America/New_York",
        isActive: true,
        tpReferenceId: "GARAGE-1",
      },
    ],
    totalCount: 1,
    pageSize: 100,
    currentPage: 1,
    totalPages: 1,
    hasPreviousPage: false,
    hasNextPage: false,
  });
});

/** @covers R208-R210 */
test("every word must occur in name, address or city, in any case; % and _ are literal", async () => {
  const { apiKey, organizationId } = await gatehouse.tenant();
  const common = {
    organizationId,
    state: "IL",
    zipcode: "60601",
    timeZone: "America/Chicago",
    actor: "test",
  };
  await createLocation(gatehouse.database.work, {
    ...common,
    name: "Lakeside 100%",
    address: "9 Shore Drive",
    city: "Chicago",
  });
  const names = async (query: string) =>
    (await list(apiKey, `?query=${encodeURIComponent(query)}`)).json.data.map(
      (location: { name: string }) => location.name,
    );

  expect(await names("lakeSIDE")).toEqual(["Lakeside 100%"]);
  expect(await names("shore")).toEqual(["Lakeside 100%"]);
  expect(await names("CHICAGO drive")).toEqual(["Lakeside 100%"]);
  expect(await names("100%")).toEqual(["Lakeside 100%"]);
  expect(await names("L_keside")).toEqual([]);
  expect(await names("%")).toEqual(["Lakeside 100%"]);
  expect(await names(String.raw`100\%`)).toEqual([]);
  expect(await names("drivechicago")).toEqual([]);
  expect(await names("chicago main")).toEqual([]);
  expect(await names("\u0000")).toEqual([]);
});

async function locationsOf(organizationId: string, count: number): Promise<void> {
  await gatehouse.database.work.query(
    `insert into locations (organization_id, id, name, address, city, state, zipcode, time_zone)
     select $1, gen_random_uuid(), 'Lot ' || lpad(n::text, 4, '0'), n || ' Elm Street', 'Boston', 'MA', '02101', 'America/New_York'
     from generate_series(1, $2) as n`,
    [organizationId, count],
  );
}

const namesOf = (answer: Answer) => answer.json.data.map(({ name }: { name: string }) => name);

/** @covers R205-R207, R212 */
test("pages have 100 locations by default and 500 at most, sorted by name", async () => {
  const { apiKey, organizationId } = await gatehouse.tenant();
  await gatehouse.database.work.query("delete from locations where organization_id = $1", [organizationId]);
  await locationsOf(organizationId, 620);

  const first = await list(apiKey);
  expect(first.json).toMatchObject({
    totalCount: 620,
    pageSize: 100,
    currentPage: 1,
    totalPages: 7,
    hasPreviousPage: false,
    hasNextPage: true,
  });
  expect(first.json.data).toHaveLength(100);
  const largest = await list(apiKey, "?pageSize=501");
  expect(largest.json).toMatchObject({ pageSize: 500, totalPages: 2 });
  expect(largest.json.data).toHaveLength(500);
  const last = await list(apiKey, "?pageSize=500&page=2");
  expect(last.json).toMatchObject({ currentPage: 2, hasPreviousPage: true, hasNextPage: false });
  const names = [...namesOf(largest), ...namesOf(last)];
  expect(names).toHaveLength(620);
  expect(names).toEqual(names.toSorted());
});

/** @covers reading 45 */
test("page and pageSize are clamped to their range, and invalid numbers get the default", async () => {
  const { apiKey } = await gatehouse.tenant();
  for (const [query, page, pageSize] of [
    ["?page=0&pageSize=0", 1, 1],
    ["?page=-3&pageSize=-3", 1, 1],
    ["?page=x&pageSize=x", 1, 100],
    ["?page=&pageSize=", 1, 100],
    ["?pageSize=1e9", 1, 100],
    ["?page=1&page=2&pageSize=5&pageSize=6", 2, 6],
    ["?__proto__=1&constructor=2&page[]=9", 1, 100],
  ] as const) {
    const answer = await list(apiKey, query);
    expect(answer.status, query).toBe(200);
    expect(answer.json, query).toMatchObject({ currentPage: page, pageSize });
  }
});

/** @covers reading 45 */
test("a page past the end has no data, and without locations there are no pages", async () => {
  const { apiKey, organizationId } = await gatehouse.tenant();
  for (const page of ["2", "999999999999999999999"]) {
    const beyond = await list(apiKey, `?page=${page}`);
    expect(beyond.status).toBe(200);
    expect(beyond.json).toMatchObject({
      data: [],
      totalCount: 1,
      totalPages: 1,
      hasNextPage: false,
      hasPreviousPage: true,
    });
  }
  await gatehouse.database.work.query("delete from locations where organization_id = $1", [organizationId]);
  expect((await list(apiKey)).json).toEqual({
    data: [],
    totalCount: 0,
    pageSize: 100,
    currentPage: 1,
    totalPages: 0,
    hasPreviousPage: false,
    hasNextPage: false,
  });
});

/** @covers R203, R204, reading 45 */
test("locations are sorted by name, then uuid, and inactive ones are included", async () => {
  const { apiKey, organizationId } = await gatehouse.tenant({ location: { name: "Beta" } });
  for (const [name, isActive] of [
    ["beta", true],
    ["Alpha", false],
    ["Beta", true],
    ["Émile", true],
    ["Zeta", true],
  ] as const)
    await createLocation(gatehouse.database.work, {
      organizationId,
      name,
      isActive,
      address: "1 Main Street",
      city: "Kolkata",
      state: "WB",
      zipcode: "700001",
      timeZone: "Asia/Kolkata",
      actor: "test",
    });
  const { data } = (await list(apiKey)).json as { data: Location[] };
  expect(data.map(({ name }) => name)).toEqual(["Alpha", "Beta", "Beta", "Zeta", "beta", "Émile"]);
  const [one, other] = data.filter(({ name }) => name === "Beta") as [Location, Location];
  expect(one.uuid < other.uuid).toBe(true);
  expect(data[0]).toMatchObject({ isActive: false, timeZone: "Asia/Kolkata", tpReferenceId: "" });
});

/** @covers reading 45 */
test("letters of any alphabet match in either case, and all words of a search must match", async () => {
  const { apiKey } = await gatehouse.tenant({
    location: { name: "École ÅNGSTRÖM Παρκινγκ", address: "12 Rue de l'Église", city: "Québec" },
  });
  const found = async (query: string) =>
    (await list(apiKey, `?query=${encodeURIComponent(query)}`)).json.totalCount;
  for (const query of [
    "école",
    "ÉCOLE",
    "ångström",
    "παρκινγκ",
    "ΠΑΡΚΙΝΓΚ",
    "église québec",
    "  12\true\n",
    "",
    "   ",
  ])
    expect(await found(query), query).toBe(1);
  const words = Array.from({ length: 20 }, () => "école").join(" ");
  expect(await found(`${words} absent`)).toBe(0);
  for (const query of ["%", "_", "\\", "'", "'; drop table locations; --", "NY", "10001"])
    expect(await found(query), query).toBe(query === "'" ? 1 : 0);
});

test("if the search parameter is given twice, the last one counts", async () => {
  const { apiKey } = await gatehouse.tenant();
  expect((await list(apiKey, "?query=absent&query=main")).json.totalCount).toBe(1);
  expect((await list(apiKey, "?query=main&query=absent")).json.totalCount).toBe(0);
});

/** @covers R211 */
test("only locations of the key's organization are listed, counted and searched", async () => {
  const [one, other] = [await gatehouse.tenant(), await gatehouse.tenant()];
  await locationsOf(other.organizationId, 5);
  expect((await list(one.apiKey)).json).toMatchObject({ totalCount: 1, data: [{ uuid: one.locationUuid }] });
  expect((await list(one.apiKey, "?query=elm")).json).toMatchObject({ totalCount: 0, data: [] });
  expect((await list(other.apiKey, "?query=elm")).json.totalCount).toBe(5);
});

/** @covers R213 */
test("locations are read-only", async () => {
  const { apiKey, locationUuid } = await gatehouse.tenant();
  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
    expect((await gatehouse.send({ method, url: "/integrations/locations", key: apiKey })).status).toBe(405);
    const one = await gatehouse.send({ method, url: `/integrations/locations/${locationUuid}`, key: apiKey });
    expect(one.status).toBe(404);
  }
});

test("a page costs two statements: one for the gate and one for the list", async () => {
  const { apiKey } = await gatehouse.tenant();
  const { gate, reads } = gatehouse.database;
  const statements = { gate: 0, reads: 0 };
  const counters = { gate: () => (statements.gate += 1), reads: () => (statements.reads += 1) };
  gate.on("acquire", counters.gate);
  reads.on("acquire", counters.reads);
  await list(apiKey);
  gate.off("acquire", counters.gate);
  reads.off("acquire", counters.reads);
  expect(statements).toEqual({ gate: 1, reads: 1 });
});
