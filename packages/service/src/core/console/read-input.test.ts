import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";

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

test("fields that a form does not have are ignored, so a client cannot set identifiers, organizations or states", async () => {
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

  const settings = await admin.patch(root, { ...extra, createdAt: "2000-01-01", honeypotField: "website" });
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

test("__proto__ and constructor are ordinary field names: they add no fields to a body and change no object", async () => {
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

test("a role must be one of the known words", async () => {
  for (const role of ["operator", "Admin", ["admin"], { admin: true }, "__proto__", 1]) {
    const answer = await admin.post(`${root}/members`, { email: "role@example.com", role });
    expect(answer.json.errors, JSON.stringify(role)).toEqual(["role must be one of admin, viewer"]);
  }
});

test("queries follow their declaration: the last of several values counts, an empty value is absent, limits are clamped", async () => {
  const data = async (query: string) => (await admin.get(`${root}/audit?${query}`)).json;
  const all = (await data("")).data.length;
  expect(all).toBeGreaterThan(1);
  expect((await data("action=user&action=&limit=")).data).toHaveLength(all);
  expect((await data("limit=5&limit=1")).data).toHaveLength(1);
  for (const limit of ["0", "-3", "1.9"]) expect((await data(`limit=${limit}`)).data, limit).toHaveLength(1);
  for (const limit of ["many", "1e9", "1000000"])
    expect((await data(`limit=${limit}`)).data, limit).toHaveLength(all);
});

test("all problems of a query are reported at once", async () => {
  const { json } = await admin.get(`${root}/runs?status=9&resource=01&apiKey=7&from=yesterday`);
  expect(json).toMatchObject({
    code: "invalid",
    errors: [
      "resource must be one of 1, 2, 3",
      "status must be one of 1, 2, 3",
      "apiKey must be a UUID",
      "from must be a date and time in ISO 8601, with a zone, in the years 1000 to 9998",
    ],
  });
});

test("a path parameter that is not valid gets 404", async () => {
  for (const path of ["runs/7", "records/planets", "leads/x", `runs/${chosen}/failures.xml`])
    expect((await admin.get(`${root}/${path}`)).status, path).toBe(404);
  expect((await admin.post(`${root}/imports/planets`)).status).toBe(404);
  // Identifiers are case-insensitive.
  expect((await admin.get(root.toUpperCase().replace("/ORGANIZATIONS", "/organizations"))).status).toBe(200);
});

test("a body is one JSON object, even if it is large", async () => {
  for (const path of ["members", "location-imports/preview"]) {
    for (const body of ["[]", '"text"', "null", "7"])
      expect((await admin.post(`${root}/${path}`, body)).json.errors, body).toEqual([
        "The body must be a JSON object",
      ]);
    for (const body of ["{", '{"csv":}', "{} {}"])
      expect((await admin.post(`${root}/${path}`, body)).json.errors, body).toEqual([
        "The body is not valid JSON",
      ]);
  }
});

test("other requests of the console have a much smaller body limit", async () => {
  const answer = await admin.post("/session/password", `{"newPassword":"${"x".repeat(70_000)}"}`);
  expect(answer.status).toBe(413);
  expect(answer.json.code).toBe("tooLarge");
});
