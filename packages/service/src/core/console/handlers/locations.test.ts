import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../../testing/console.js";
import { useApp } from "../../../../testing/harness.js";

const gatehouse = useApp();
let admin: Visitor;
let root: string;

beforeAll(async () => {
  const { organizationId } = await gatehouse.tenant();
  admin = await signedIn(gatehouse, "admin", organizationId);
  root = `/organizations/${organizationId}`;
});

const deck = {
  name: "Deck",
  address: "1 Road",
  city: "Chicago",
  state: "IL",
  zipcode: "60601",
  timeZone: "America/Chicago",
};
const heading = "name,address,city,state,zipcode,timeZone,tpReferenceId,isActive";
const names = async () =>
  (await admin.get(`${root}/locations`)).json.data.map((location: { name: string }) => location.name);

test("a location is created, edited and deactivated, with audit entries", async () => {
  const created = await admin.post(`${root}/locations`, { ...deck, tpReferenceId: "D-1" });
  expect(created.json).toMatchObject({ ...deck, tpReferenceId: "D-1", isActive: true });
  const path = `${root}/locations/${created.json.uuid}`;
  const changed = await admin.patch(path, { name: "Upper deck", isActive: false });
  expect(changed.json).toMatchObject({
    name: "Upper deck",
    isActive: false,
    city: "Chicago",
    tpReferenceId: "D-1",
  });
  expect((await admin.get(path)).json).toEqual(changed.json);
  expect((await admin.get(`${root}/locations?query=upper`)).json.totalCount).toBe(1);
  const trail = (await admin.get(`${root}/audit?action=location&limit=2`)).json.data;
  expect(trail.map((line: { action: string }) => line.action)).toEqual([
    "location.update",
    "location.create",
  ]);
  expect(JSON.parse(trail[0].detail)).toMatchObject({ isActive: { from: true, to: false } });
});

test("a tpReferenceId belongs to one location, and the error names the location that has it", async () => {
  const first = (await admin.post(`${root}/locations`, { ...deck, name: "First", tpReferenceId: "TWICE" }))
    .json;
  const told = [`tpReferenceId "TWICE" is already that of the location First (${first.uuid})`];
  const created = await admin.post(`${root}/locations`, { ...deck, name: "Second", tpReferenceId: "TWICE" });
  expect([created.status, created.json.errors]).toEqual([400, told]);
  const second = (await admin.post(`${root}/locations`, { ...deck, name: "Second" })).json;
  const path = `${root}/locations/${second.uuid}`;
  expect((await admin.patch(path, { tpReferenceId: "TWICE" })).json.errors).toEqual(told);
  expect(await names()).not.toContain("TWICE");

  // A location may keep its reference. The reference is case-sensitive, and another organization may use the
  // same one.
  expect((await admin.patch(`${root}/locations/${first.uuid}`, { tpReferenceId: "TWICE" })).status).toBe(200);
  expect((await admin.patch(path, { tpReferenceId: "twice" })).status).toBe(200);
  const { organizationId } = await gatehouse.tenant();
  const other = await signedIn(gatehouse, "admin", organizationId);
  const elsewhere = { ...deck, tpReferenceId: "TWICE" };
  expect((await other.post(`/organizations/${organizationId}/locations`, elsewhere)).status).toBe(200);
});

test("of several locations that get the same tpReferenceId at once, only one succeeds", async () => {
  const answers = await Promise.all(
    [1, 2, 3, 4].map((number) =>
      admin.post(`${root}/locations`, { ...deck, name: `Race ${number}`, tpReferenceId: "RACE" }),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
});

test("locations that already share a tpReferenceId can still be changed", async () => {
  const made = [];
  for (const name of ["Old one", "Old two"])
    made.push((await admin.post(`${root}/locations`, { ...deck, name })).json.uuid);
  await gatehouse.database.work.query("update locations set tp_reference_id = 'OLD' where id = any ($1)", [
    made,
  ]);
  const changed = await admin.patch(`${root}/locations/${made[1]}`, {
    city: "Evanston",
    tpReferenceId: "OLD",
  });
  expect(changed.json).toMatchObject({ city: "Evanston", tpReferenceId: "OLD" });
});

test("invalid input gets an error that explains the problem", async () => {
  const missing = await admin.post(`${root}/locations`, { name: "X" });
  expect(missing.json.errors).toEqual([
    "address is required",
    "city is required",
    "state is required",
    "zipcode is required",
    "timeZone is required",
  ]);
  const zone = await admin.post(`${root}/locations`, { ...deck, timeZone: "+02:00" });
  expect(zone.json).toMatchObject({
    code: "invalid",
    errors: ['"+02:00" is not an IANA time zone such as America/New_York'],
  });
  const lines = await admin.post(`${root}/locations`, { ...deck, timeZone: "Europe\nParis" });
  expect(lines.json.errors).toEqual(['"Europe\nParis" is not an IANA time zone such as America/New_York']);
});

test("the zones to choose from are those of the IANA database", async () => {
  const { data } = (await admin.get("/time-zones")).json;
  expect(data).toContain("America/New_York");
  expect(data.length).toBeGreaterThan(300);
});

test("a CSV is previewed without storing anything, then imported whole", async () => {
  const before = await names();
  const csv = `${heading}\nOne,1 Street,Paris,IDF,75001,Europe/Paris,P-1,\nTwo,2 Street,Paris,IDF,75002,Europe/Paris,,false\n`;
  const preview = await admin.post(`${root}/location-imports/preview`, { csv });
  expect(preview.json).toMatchObject({
    importable: true,
    created: 2,
    updated: 0,
    problems: [],
    rows: [
      { line: 2, outcome: "created", fields: { name: "One", tpReferenceId: "P-1", isActive: true } },
      { line: 3, outcome: "created", fields: { name: "Two", isActive: false } },
    ],
  });
  expect(await names()).toEqual(before);

  expect((await admin.post(`${root}/location-imports`, { csv })).json).toEqual({
    created: 2,
    updated: 0,
    unchanged: 0,
  });
  expect(await names()).toEqual([...before, "One", "Two"].toSorted());
  expect((await admin.post(`${root}/location-imports`, { csv })).json).toEqual({
    created: 0,
    updated: 0,
    unchanged: 2,
  });
});

test("one bad line rejects the whole file, and every problem names its line", async () => {
  const before = await names();
  const csv = `${heading}\nGood,1 Street,Paris,IDF,75001,Europe/Paris,,\n,1 Street,Paris,IDF,75001,Europe/Paris,,\nBad zone,1 Street,Paris,IDF,75001,Paris,,\n`;
  const preview = await admin.post(`${root}/location-imports/preview`, { csv });
  expect(preview.status).toBe(200);
  expect(preview.json).toMatchObject({ importable: false, rows: [] });
  expect(preview.json.problems).toEqual([
    "line 3: name must not be empty",
    'line 4: "Paris" is not an IANA time zone such as America/New_York',
  ]);
  const refused = await admin.post(`${root}/location-imports`, { csv });
  expect(refused.status).toBe(400);
  expect(refused.json.errors).toEqual(preview.json.problems);
  expect(await names()).toEqual(before);
  const heads = await admin.post(`${root}/location-imports/preview`, { csv: "name,city\nA,B" });
  expect(heads.json.problems[0]).toContain("The header lacks address, state, zipcode, timeZone");
});
