import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newTenant, type Tenant } from "../rigs/fleet.js";
import { buildPreviousRelease, type Release } from "../rigs/releases.js";
import { startRig } from "../rigs/rig.js";
import { leave, placeAt, startService, stop } from "../running-service.js";
import { distributedDatabase, runCommand, type ClusterDatabase } from "./cluster-database.js";

let previous: Release;
let database: ClusterDatabase;
beforeAll(async () => {
  previous = await buildPreviousRelease();
  database = await distributedDatabase(previous.program);
}, 15 * 60_000);
afterAll(async () => {
  await database.leave();
  await previous.leave();
});

const records = 50;

/** The same records for the same letter: new to the first client that sends them, known to all others. */
async function importWith(
  program: string | undefined,
  tenant?: Tenant,
  letter = "T",
): Promise<[Tenant, object]> {
  const folder = await mkdtemp(path.join(tmpdir(), "gatehouse-rig-"));
  const variables = { DATABASE_URL: database.connectionString, GATEHOUSE_DEMO: "off", LOG_LEVEL: "warn" };
  const place = placeAt(folder, variables, program);
  onTestFinished(() => leave(place));
  const service = await startService(place);
  const importer =
    tenant ?? (await newTenant((...words) => place.gatehouse([...words, "--json"]), "Upgrade"));
  const transactions = Array.from({ length: records }, (_, index) => ({
    transactionId: `${letter}-${index}`,
    locationUuid: importer.locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00Z",
    account: { tpReferenceId: `A-${letter}-${index}`, name: "Acme" },
  }));
  const answer = await service.send("/integrations/transactions", {
    key: importer.key,
    body: { transactions },
  });
  await stop(service);
  expect(answer.status, answer.text).toBe(200);
  return [importer, answer.json];
}

test("a database that the previous release distributed works with this release, before and after its new tables are distributed", async () => {
  const rig = startRig("cluster: upgrade");
  const [tenant, created] = await importWith(previous.program);
  expect(created).toMatchObject({ successCount: records });
  const known = { successCount: 0, skippedCount: records };

  const { stderr } = await runCommand(database, ["migrate"]);
  expect(stderr).toContain("gatehouse distribute");
  expect((await importWith(undefined, tenant))[1]).toMatchObject(known);
  expect((await importWith(undefined, tenant, "U"))[1]).toMatchObject({ successCount: records });
  expect((await runCommand(database, ["distribute"])).json.tables).toContainEqual({
    table: "undo_records",
    kind: "distributed",
    changed: true,
  });
  expect((await importWith(undefined, tenant))[1]).toMatchObject(known);
  expect((await importWith(undefined, tenant, "U"))[1]).toMatchObject(known);
  expect((await importWith(previous.program, tenant))[1]).toMatchObject(known);
  expect((await runCommand(database, ["verify"])).json).toMatchObject({ ok: true });
  rig.held({ "records before": records });
}, 300_000);
