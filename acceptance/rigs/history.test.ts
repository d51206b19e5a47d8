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

test("two instances, and everything around them breaks: what was acknowledged is stored once, with the uuid that was told, until its run is taken back", async () => {
  const rig = startRig("history");
  const { struck, answered, ofUnknownEnd, acknowledged, takenBack } = await recordHistory({
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
    "runs taken back": takenBack,
  });
  expect(answered).toBeGreaterThan(kills);
  expect(takenBack).toBeGreaterThan(0);
}, 3_600_000);
