import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { signedIn } from "../../../testing/console.js";
import { useApp, type Answer } from "../../../testing/harness.js";

const gatehouse = useApp();

async function namesLike(table: string, name: string): Promise<number> {
  const { rowCount } = await gatehouse.database.work.query(`select from ${table} where name = $1`, [name]);
  return rowCount ?? 0;
}

test("the same request to create an organization, concurrently and later, creates one and gets the same answer", async () => {
  const operator = await signedIn(gatehouse, "operator");
  const token = randomUUID();
  const create = () => operator.post("/organizations", { name: "Once Parking" }, token);
  const answers = [...(await Promise.all([create(), create(), create()])), await create()];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  for (const { json } of answers) expect(json).toEqual(answers[0]?.json);
  expect(await namesLike("organizations", "Once Parking")).toBe(1);
});

test("a different token, a different user and no token each create a separate organization", async () => {
  const [one, other] = [await signedIn(gatehouse, "operator"), await signedIn(gatehouse, "operator")];
  const token = randomUUID();
  const body = { name: "Many Parking" };
  const answers = [
    await one.post("/organizations", body, token),
    await other.post("/organizations", body, token),
    await one.post("/organizations", body, randomUUID()),
    await one.post("/organizations", body),
    await one.post("/organizations", body),
  ];
  expect(new Set(answers.map(({ json }) => json.uuid)).size).toBe(5);
  expect((await one.post("/organizations", body, "no uuid")).json.code).toBe("invalid");
});

test("a failed request can be repeated with its token", async () => {
  const operator = await signedIn(gatehouse, "operator");
  const token = randomUUID();
  expect((await operator.post("/organizations", { name: " " }, token)).status).toBe(400);
  expect((await operator.post("/organizations", { name: "Second Try" }, token)).status).toBe(200);
});

test("a location is created once, and tokens expire after a day", async () => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const token = randomUUID();
  const location = {
    name: "Once Garage",
    address: "1 Street",
    city: "Bern",
    state: "BE",
    zipcode: "3000",
    timeZone: "Europe/Zurich",
  };
  const create = (key: string) => admin.post(`/organizations/${organizationId}/locations`, location, key);
  const answers = await Promise.all([create(token), create(token)]);
  expect(answers[0]?.json).toEqual(answers[1]?.json);
  expect(await namesLike("locations", "Once Garage")).toBe(1);

  const remembered = async () =>
    (
      await gatehouse.database.work.query("select from console_submissions where user_id = $1", [
        admin.userId,
      ])
    ).rowCount;
  await gatehouse.database.work.query(
    "update console_submissions set created_at = created_at - interval '25 hours' where user_id = $1",
    [admin.userId],
  );
  await create(randomUUID());
  expect(await remembered()).toBe(1);
});

test("a repeated request to create or rotate a key is rejected with an explanation, and the first key works", async () => {
  const { organizationId } = await gatehouse.tenant();
  const admin = await signedIn(gatehouse, "admin", organizationId);
  const keys = `/organizations/${organizationId}/api-keys`;
  const token = randomUUID();
  const made = await Promise.all([1, 2].map(() => admin.post(keys, { name: "Once" }, token)));
  expect(made.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  expect(await namesLike("api_keys", "Once")).toBe(1);
  const { uuid, key } = (made.find(({ status }) => status === 200) as Answer).json;
  expect((await gatehouse.send({ url: "/integrations/locations", key })).status).toBe(200);
  expect(made.find(({ status }) => status === 409)?.text).toContain(`The key ${uuid} was already created`);

  const rotated = await Promise.all([1, 2].map(() => admin.post(`${keys}/${uuid}/rotate`, { overlapMs: 0 })));
  expect(rotated.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  const successor = (rotated.find(({ status }) => status === 200) as Answer).json;
  expect(rotated.find(({ status }) => status === 400)?.text).toContain(
    `rotate its successor ${successor.uuid}`,
  );
  expect((await gatehouse.send({ url: "/integrations/locations", key: successor.key })).status).toBe(200);
});
