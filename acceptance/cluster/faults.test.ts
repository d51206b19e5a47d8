import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
  startProxiedFleet,
  untilReady,
  type Fleet,
  type ProxiedInstance,
  type Tenant,
} from "../rigs/fleet.js";
import { strike } from "../rigs/nemesis.js";
import { recordHistory } from "../rigs/recorded-history.js";
import { amount, startRig } from "../rigs/rig.js";
import { distributedDatabase, type ClusterDatabase, type Worker } from "./cluster-database.js";
import { faultsOfCluster, phases, untilSettled } from "./faults.js";
import { killNode, startNode } from "./nodes.js";

const kills = amount(2, 40);

let fleet: Fleet<ProxiedInstance>;
let database: ClusterDatabase;
beforeAll(async () => {
  fleet = await startProxiedFleet(2, async () => (database = await distributedDatabase()));
});
afterAll(() => fleet.leave());

let lastAccount = 0;
function importAccount({ key }: Tenant) {
  const [{ service }] = fleet.instances as [ProxiedInstance];
  lastAccount += 1;
  const accounts = [{ tpReferenceId: `N-${lastAccount}`, name: "Acme" }];
  return service.send("/integrations/accounts", { key, body: { accounts }, timeout: 120_000 });
}

/** Two organizations whose rows are on different workers. */
async function tenantsApart(): Promise<[Tenant, Worker, Tenant]> {
  const one = await fleet.newTenant("One");
  const worker = await database.workerOf(one.organizationUuid);
  for (let number = 1; ; number += 1) {
    const other = await fleet.newTenant(`Other ${number}`);
    if ((await database.workerOf(other.organizationUuid)) !== worker) return [one, worker, other];
  }
}

test("a worker that is down causes 503 for its own organizations only", async () => {
  const [one, { node }, other] = await tenantsApart();
  await killNode(node);
  let isKilled = true;
  onTestFinished(async () => {
    if (isKilled) await startNode(node);
  });
  const refused = await importAccount(one);
  expect(refused.status, refused.text).toBe(503);
  expect(refused.headers["retry-after"]).toEqual(expect.any(String));
  expect((await importAccount(other)).status).toBe(200);
  await startNode(node);
  isKilled = false;
  await expect.poll(async () => (await importAccount(one)).status).toBe(200);
});

test.each(Object.entries(phases))(
  "an import that is cut before %s of its commit is resolved, and the next one succeeds",
  async (_phase, text) => {
    const tenant = await fleet.newTenant("Cut");
    await importAccount(tenant);
    const { proxy } = await database.workerOf(tenant.organizationUuid);
    const cut = proxy.cutBefore(text);
    const answer = await importAccount(tenant);
    await cut;
    expect([200, 500, 503], answer.text).toContain(answer.status);
    expect((await importAccount(tenant)).status).toBe(200);
    await untilSettled(database);
    const [{ service }] = fleet.instances as [ProxiedInstance];
    const reference = `N-${lastAccount - 1}`;
    const stored = await database.query(
      "select id from accounts where organization_id = $1 and tp_reference_id = $2",
      [tenant.organizationUuid, reference],
    );
    // If the answer was Created, the account is stored once. If it was a failure, the account is not stored.
    expect(stored.map(({ id }) => id)).toEqual(answer.status === 200 ? [answer.json.results[0].uuid] : []);
    if (answer.status !== 200) return;
    const read = await service.send(`/integrations/imports/${answer.json.referenceUuid}`, {
      key: tenant.key,
    });
    expect(read.json).toEqual(answer.json);
  },
);

test("nodes die, commits are cut, shards move: acknowledged records are stored once, with the uuid of the answer", async () => {
  const rig = startRig("cluster: faults");
  const tenant = await fleet.newTenant("History");
  const { struck, answered, ofUnknownEnd, acknowledged, undoneRuns } = await recordHistory({
    name: "cluster",
    fleet,
    tenant,
    rig,
    async strike(file) {
      const counts = await strike(faultsOfCluster(database), { fleet, random: rig.random, kills, file });
      await untilReady(fleet);
      await untilSettled(database);
      return counts;
    },
  });
  rig.held({
    ...struck,
    "requests answered": answered,
    "requests of unknown end": ofUnknownEnd,
    "transactions acknowledged": acknowledged,
    "runs undone": undoneRuns,
  });
  expect(answered).toBeGreaterThan(kills);
}, 3_600_000);
