import { beforeAll, expect, test } from "vitest";
import { signedIn, type Visitor } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";

/** Two users edit the same object: the second save has not seen the first one, so it must not overwrite it. */
const gatehouse = useApp();
let admin: Visitor;
let member: Visitor;
let root: string;
let locationUuid: string;

beforeAll(async () => {
  const tenant = await gatehouse.tenant();
  ({ locationUuid } = tenant);
  root = `/organizations/${tenant.organizationId}`;
  admin = await signedIn(gatehouse, "admin", tenant.organizationId);
  member = await signedIn(gatehouse, "viewer", tenant.organizationId);
});

interface Edited {
  path: () => string;
  read: () => Promise<{ version: string }>;
  first: object;
  second: object;
}

const readMember = async () =>
  (await admin.get(`${root}/members`)).json.data.find(({ uuid }: { uuid: string }) => uuid === member.userId);

const edited: Record<string, Edited> = {
  "a location": {
    path: () => `${root}/locations/${locationUuid}`,
    read: async () => (await admin.get(`${root}/locations/${locationUuid}`)).json,
    first: { city: "Albany" },
    second: { name: "North garage", city: "New York" },
  },
  "an organization's settings": {
    path: () => root,
    read: async () => (await admin.get(root)).json,
    first: { honeypotField: "website" },
    second: { honeypotField: null, leadOrigins: ["https://www.example.com"] },
  },
  "a captcha's secret, which is not shown": {
    path: () => root,
    read: async () => (await admin.get(root)).json,
    first: { captcha: { type: "turnstile", secret: "one" } },
    second: { captcha: { type: "turnstile", secret: "other" } },
  },
  "a member": {
    path: () => `${root}/members/${member.userId}`,
    read: readMember,
    first: { role: "admin" },
    second: { disabled: true },
  },
};

test.each(Object.keys(edited))(
  "%s: the second save of one version is rejected and changes nothing",
  async (what) => {
    const { path, read, first, second } = edited[what] as Edited;
    const { version } = await read();
    expect((await admin.patch(path(), { ...first, version })).status).toBe(200);
    const saved = await read();
    expect(saved.version).not.toBe(version);

    const refused = await admin.patch(path(), { ...second, version });
    expect(refused.status).toBe(409);
    expect(refused.json.code).toBe("changedMeanwhile");
    expect(refused.json.errors[0]).toContain("has changed since you opened it");
    expect(await read()).toEqual(saved);

    const again = await admin.patch(path(), { ...second, version: saved.version });
    expect(again.status).toBe(200);
    expect(again.json.version).toBe((await read()).version);
  },
);

test("of concurrent saves, one succeeds", async () => {
  const path = `${root}/locations/${locationUuid}`;
  const { version } = (await admin.get(path)).json;
  const answers = await Promise.all(["A", "B", "C", "D"].map((city) => admin.patch(path, { city, version })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
});

test("a change by the command line counts as well, and a change without a version is not compared", async () => {
  const path = `${root}/locations/${locationUuid}`;
  const { version } = (await admin.get(path)).json;
  await gatehouse.database.work.query("update locations set zipcode = '99999' where id = $1", [locationUuid]);
  expect((await admin.patch(path, { city: "E", version })).status).toBe(409);
  expect((await admin.patch(path, { city: "E" })).status).toBe(200);
});
