import { expect, test } from "vitest";
import { useApp } from "../../testing/harness.js";
import { createLocation } from "./manage-locations.js";

const gatehouse = useApp();
const list = (key: string, query = "") =>
  gatehouse.send({ method: "GET", url: `/integrations/locations${query}`, key });

test("R5 R201 R202 a location is listed with its fields and the page it stands on", async () => {
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

test("R208 R209 R210 every word must occur in name, address or city, whatever its case; % and _ mean themselves", async () => {
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
  expect(await names("chicago main")).toEqual([]);
  expect(await names("\u0000")).toEqual([]);
});
