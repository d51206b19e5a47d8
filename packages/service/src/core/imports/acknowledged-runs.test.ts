import { expect, test } from "vitest";
import { useInstances } from "../../../testing/another-instance.js";
import { sendTo, useApp } from "../../../testing/harness.js";
import { importer } from "../../../testing/importer.js";

const gatehouse = useApp();
const startInstance = useInstances(gatehouse);

/**
 * On a cluster, an interrupted two-phase commit hides the run until Citus recovers it. This test moves the
 * row away and back to simulate that.
 */
async function hidden(runId: string, work: () => Promise<void>): Promise<void> {
  const pool = gatehouse.database.work;
  await pool.query("create table hidden_runs as select * from import_runs where id = $1", [runId]);
  await pool.query("delete from import_runs where id = $1", [runId]);
  await work();
  await pool.query("insert into import_runs select * from hidden_runs");
}

test("an acknowledged run that was deleted gets 404", async () => {
  const partner = await importer(gatehouse);
  const answer = await partner.post("transactions", { transactions: [partner.transaction("T-1")] });
  await gatehouse.database.work.query("delete from import_runs where id = $1", [answer.json.referenceUuid]);
  expect((await partner.get(answer.json.referenceUuid)).status).toBe(404);
});

test("on a cluster, an acknowledged run that is not readable yet gets 503 with Retry-After, and 404 for other organizations", async () => {
  // PostgreSQL accepts any value for a setting of an extension that is not installed.
  gatehouse.database.reads.on("acquire", (client) => {
    void client.query("set citus.recover_2pc_interval = '2s'");
  });
  const partner = await importer(gatehouse);
  const stranger = await importer(gatehouse);
  const other = await startInstance();
  const answer = await partner.post("transactions", { transactions: [partner.transaction("T-1")] });
  const { referenceUuid } = answer.json;
  const url = `/integrations/imports/${referenceUuid}`;
  await hidden(referenceUuid, async () => {
    const pending = await partner.get(referenceUuid);
    expect(pending).toMatchObject({
      status: 503,
      json: { success: false, message: "The run was acknowledged, but it cannot be read yet" },
    });
    expect(pending.headers).toMatchObject({ "x-error": "runNotReadable", "retry-after": "5" });
    expect((await partner.get(referenceUuid.toUpperCase())).status).toBe(503);
    expect((await stranger.get(referenceUuid)).status).toBe(404);
    // Another instance has not acknowledged any runs.
    expect((await sendTo(other.app, { url, key: partner.apiKey })).status).toBe(404);
  });
  expect((await partner.get(referenceUuid)).json).toEqual(answer.json);
});

test("a run that was never acknowledged gets 404", async () => {
  const partner = await importer(gatehouse);
  expect((await partner.get("01980000-0000-7000-8000-000000000000")).status).toBe(404);
});
