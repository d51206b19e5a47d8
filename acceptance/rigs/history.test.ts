import { afterAll, beforeAll, expect, test } from "vitest";
import { startProxiedFleet, type Fleet, type ProxiedInstance, type Tenant } from "./fleet.js";
import { faultsOfInstances, strike } from "./nemesis.js";
import { recordHistory } from "./recorded-history.js";
import { amount, startRig } from "./rig.js";

const kills = amount(2, 200);

let fleet: Fleet<ProxiedInstance>;
let tenant: Tenant;
beforeAll(async () => {
  fleet = await startProxiedFleet(2);
  tenant = await fleet.newTenant("History");
});
afterAll(() => fleet.leave());

test("faults on two instances: acknowledged records are stored once, with the uuid of the answer, until their run is undone", async () => {
  const rig = startRig("history");
  const { struck, answered, ofUnknownEnd, acknowledged, undoneRuns } = await recordHistory({
    name: "history",
    fleet,
    tenant,
    rig,
    strike: (file) => strike(faultsOfInstances, { fleet, random: rig.random, kills, file }),
  });
  rig.held({
    ...struck,
    "requests answered": answered,
    "requests of unknown end": ofUnknownEnd,
    "transactions acknowledged": acknowledged,
    "runs undone": undoneRuns,
  });
  expect(answered).toBeGreaterThan(kills);
  expect(undoneRuns).toBeGreaterThan(0);
}, 3_600_000);
