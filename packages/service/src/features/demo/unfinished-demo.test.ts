import { exampleLocationUuid } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { verifyStoredData } from "../../../testing/verify.js";
import { createDemo, lacksDemo } from "./demo.js";
import { features } from "../../features.js";
import { fillDemo } from "./sample/fill-demo.js";

const app = useApp();
const actor = "test";

test("the next start completes a demo that an interrupted start left unfinished, and replaces its key with one that works", async () => {
  const pool = app.database.work;
  const observers = features.flatMap(({ afterImport }) => afterImport?.(app.config) ?? []);
  const lost: string[] = [];
  const ended = createDemo(pool, actor, async ({ organization, apiKey }) => {
    lost.push(organization.uuid, apiKey.key);
    await fillDemo(pool, { organizationId: organization.uuid, importKeyId: apiKey.uuid, actor, observers });
    throw new Error("ended");
  });
  await expect(ended).rejects.toThrow("ended");
  expect(await lacksDemo(pool)).toBe(true);

  const [organizationId, lostKey] = lost as [string, string];
  const demo = await createDemo(pool, actor, ({ organization, apiKey }) =>
    fillDemo(pool, { organizationId: organization.uuid, importKeyId: apiKey.uuid, actor, observers }),
  );
  expect(demo?.organization.uuid).toBe(organizationId);
  expect(demo?.locations.map(({ uuid }) => uuid)).toContain(exampleLocationUuid);
  expect(await lacksDemo(pool)).toBe(false);
  expect(await createDemo(pool, actor)).toBeUndefined();
  const statusWith = async (key: string) =>
    (await app.send({ method: "GET", url: "/integrations/locations", key })).status;
  expect(await statusWith(demo?.apiKey.key ?? "")).toBe(200);
  expect(await statusWith(lostKey)).toBe(401);
  const { rows: keys } = await pool.query(
    "select name, last_used_at is not null as used from api_keys where organization_id = $1 order by name",
    [organizationId],
  );
  expect(keys).toEqual([
    { name: "Demo key", used: true },
    { name: "Website forms", used: true },
  ]);
  expect(await verifyStoredData(app.connectionString)).toMatchObject({ ok: true });
});
