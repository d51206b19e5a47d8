import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../testing/console.js";
import { useApp } from "../../testing/harness.js";

const gatehouse = useApp();
const chosen = "00000000-0000-7000-8000-000000000000";
let organizationId: string;
let otherId: string;
let root: string;
let admin: Visitor;

beforeAll(async () => {
  ({ organizationId } = await gatehouse.tenant());
  otherId = (await gatehouse.tenant()).organizationId;
  root = `/organizations/${organizationId}`;
  admin = await signedIn(gatehouse, "admin", organizationId);
});

test("fields that a form does not have are ignored: nobody chooses identifiers, organizations or states by naming them", async () => {
  const operator = await signedIn(gatehouse, "operator");
  const extra = {
    uuid: chosen,
    id: chosen,
    organizationId: otherId,
    organizationUuid: otherId,
    isDemo: true,
  };

  const created = await operator.post("/organizations", { name: "New", ...extra, createdAt: "2000-01-01" });
  expect(created.json).toMatchObject({ name: "New", isDemo: false });
  expect(created.json.uuid).not.toBe(chosen);

  const settings = await admin.patch(root, { ...extra, name: "Renamed", honeypotField: "website" });
  expect(settings.json).toMatchObject({ uuid: organizationId, name: "Test organization", isDemo: false });

  const key = await admin.post(`${root}/api-keys`, {
    name: "key",
    ...extra,
    key: "ghk_mine",
    lastUsedAt: "now",
  });
  expect(key.json).toMatchObject({ name: "key", lastUsedAt: null });
  expect([key.json.uuid, key.json.key]).not.toEqual(expect.arrayContaining([chosen, "ghk_mine"]));

  const place = { name: "Deck", address: "1 Road", city: "Town", state: "NY", zipcode: "1", timeZone: "UTC" };
  const location = await admin.post(`${root}/locations`, { ...place, ...extra });
  expect(location.json).toMatchObject(place);
  expect(location.json.uuid).not.toBe(chosen);

  const invited = await admin.post(`${root}/members`, {
    ...extra,
    email: "new@example.com",
    role: "viewer",
    passwordHash: "x",
  });
  expect(invited.json.member).toMatchObject({ role: "viewer", hasPassword: false });
  const changed = await admin.patch(`${root}/members/${invited.json.member.uuid}`, {
    ...extra,
    email: "other@example.com",
    hasPassword: true,
  });
  expect(changed.json).toEqual(invited.json.member);

  const { rows } = await gatehouse.database.work.query(
    `select (select count(*) from api_keys where organization_id = $1) as keys,
            (select count(*) from locations where organization_id = $1) as locations,
            (select count(*) from users where organization_id = $1) as users`,
    [otherId],
  );
  expect(rows[0]).toEqual({ keys: 1, locations: 1, users: 0 });
});

test("__proto__ and constructor are names like any other: they lend a body no fields, and change no object", async () => {
  const lent = await admin.post(`${root}/api-keys`, '{"__proto__":{"name":"lent"}}');
  expect(lent.json).toMatchObject({ code: "invalid", errors: ["name is required"] });
  const nested = await admin.patch(root, '{"captcha":{"__proto__":{"type":"turnstile","secret":"s"}}}');
  expect(nested.json.errors).toEqual(["captcha.type is required"]);
  const key = await admin.post(
    `${root}/api-keys`,
    '{"name":"key","constructor":{"prototype":{"polluted":true}},"__proto__":{"polluted":true}}',
  );
  expect(key.status).toBe(200);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  expect((await admin.get(`${root}/records/__proto__`)).status).toBe(404);
  expect((await admin.get(`${root}/runs?__proto__=1&constructor[prototype]=1`)).status).toBe(200);
});

test("a role is one of the words, not something that looks like one", async () => {
  for (const role of ["operator", "Admin", ["admin"], { admin: true }, "__proto__", 1]) {
    const answer = await admin.post(`${root}/members`, { email: "role@example.com", role });
    expect(answer.json.errors, JSON.stringify(role)).toEqual(["role must be one of admin, viewer"]);
  }
});
