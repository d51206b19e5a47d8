import { expect, it, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { importLocations } from "./import-locations.js";
import { checkTimeZone, createLocation, updateLocation } from "./manage-locations.js";
import { listTimeZones, spellZone } from "./time-zones.js";

it("zones are listed once by their current names, and every one can be stored", () => {
  const zones = listTimeZones();
  expect(zones).toEqual(expect.arrayContaining(["Asia/Kolkata", "Europe/Kyiv", "America/New_York", "UTC"]));
  expect(zones).not.toContain("Asia/Calcutta");
  expect(new Set(zones).size).toBe(zones.length);
  expect(zones.filter((zone) => checkTimeZone(zone) !== zone)).toEqual([]);
});

const gatehouse = useApp();

test("every zone that PostgreSQL or the runtime knows gets its canonical spelling from any case", async () => {
  const { rows } = await gatehouse.database.work.query<{ name: string }>(
    "select name from pg_timezone_names where name !~ '^(posix|right)' and name not in ('Factory', 'localtime', 'posixrules')",
  );
  const names = new Set([...rows.map(({ name }) => name), ...Intl.supportedValuesOf("timeZone")]);
  expect(names.size).toBeGreaterThan(550);
  for (const name of names)
    for (const typed of [name, name.toLowerCase(), name.toUpperCase()]) expect(spellZone(typed)).toBe(name);
});

const place = { address: "1 Street", city: "Here", state: "NY", zipcode: "10006" };

test("a location gets the canonical case of its zone, and alias zones are kept", async () => {
  const { organizationId } = await gatehouse.tenant();
  const stored = async (timeZone: string) =>
    (
      await createLocation(gatehouse.database.work, {
        ...place,
        name: timeZone,
        timeZone,
        organizationId,
        actor: "test",
      })
    ).timeZone;
  expect(await stored("america/new_york")).toBe("America/New_York");
  expect(await stored("us/EASTERN")).toBe("US/Eastern");
  expect(await stored("asia/kolkata")).toBe("Asia/Kolkata");
  expect(await stored("utc")).toBe("UTC");
});

test("a zone that was stored in another case works and is corrected by the next change", async () => {
  const { organizationId, apiKey, locationUuid } = await gatehouse.tenant();
  await gatehouse.database.work.query(
    "update locations set time_zone = 'america/new_york' where organization_id = $1",
    [organizationId],
  );
  const imported = await gatehouse.post("/integrations/transactions", apiKey, {
    transactions: [
      { transactionId: "T-1", locationUuid, type: 1, transactionDate: "2026-04-01T03:30:00.000Z" },
    ],
  });
  expect(imported.json.successCount).toBe(1);
  const { rows } = await gatehouse.database.work.query<{ local_date: string }>(
    "select local_date::text from transactions where organization_id = $1",
    [organizationId],
  );
  expect(rows).toEqual([{ local_date: "2026-03-31" }]);
  const changed = await updateLocation(gatehouse.database.work, {
    locationId: locationUuid,
    name: "Renamed",
    actor: "test",
  });
  expect(changed.timeZone).toBe("America/New_York");
});

test("importing the same file of locations again changes nothing, however it spells the zone", async () => {
  const { organizationId } = await gatehouse.tenant();
  const csv = "name,address,city,state,zipcode,timeZone\nA,1 Street,Bern,BE,3000,EUROPE/zurich";
  const input = { organizationId, csv, dryRun: false, actor: "test" };
  expect(await importLocations(gatehouse.database.work, input)).toMatchObject({ created: 1 });
  expect(await importLocations(gatehouse.database.work, input)).toMatchObject({ unchanged: 1, updated: 0 });
});
