import { operationNames } from "@gatehouse-parking/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRig } from "../../../../../testing/rig.js";
import { useApp } from "../../../testing/harness.js";
import {
  attackOn,
  attacksOn,
  placesIn,
  randomAttack,
  type Attack,
  type Target,
} from "../../../testing/hostile/attacks.js";
import { Judge } from "../../../testing/hostile/judge.js";
import {
  attacksByOthers,
  attacksOfRoute,
  hostileLimits,
  mixedAttacks,
} from "../../../testing/hostile/limits.js";
import { publicTargets, type Described } from "../../../testing/hostile/public-targets.js";
import { sampleOrganization } from "../../../testing/sample-organization.js";
import { generateApiKey } from "../gate/api-key-format.js";
import { verifyStoredData } from "../../../testing/verify.js";

/**
 * Sends hostile values everywhere: the service never answers 5xx, never blocks the event loop for long and never uses
 * much memory. The operations come from openapi.json, all other routes from the app.
 */
const gatehouse = useApp();
const rig = startRig("hostile input: interface");
const credentials: Record<string, Record<string, string>> = {};
let judge: Judge;
let targets: Target[];

beforeAll(async () => {
  const own = await sampleOrganization(gatehouse);
  const other = await sampleOrganization(gatehouse);
  const narrow = await gatehouse.tenant({ permissions: ["leads:write"] });
  const keys = { own: own.apiKey, other: other.apiKey, narrow: narrow.apiKey, unknown: generateApiKey() };
  for (const [name, key] of Object.entries(keys)) credentials[name] = { "x-api-key": key };
  credentials["malformed"] = { "x-api-key": "x".repeat(10_000) };
  credentials["none"] = {};
  targets = publicTargets(gatehouse.app.swagger() as unknown as Described, {
    locationUuid: own.locationUuid,
    referenceUuid: own.runUuid,
    uploadUuid: own.uploadUuid,
  });
  judge = new Judge(gatehouse, hostileLimits);
  // Compilation happens once and is not a cost per request.
  for (const target of targets) await attack(target, attackOn(target, {}), "own");
});

afterAll(() => {
  const { requests, holdMs, heldBy, heapMegabytes } = judge.worst;
  rig.held({
    requests,
    "longest block of the event loop, ms": Math.round(holdMs),
    "held by": heldBy,
    "largest heap beyond the start, garbage included, MB": heapMegabytes,
  });
});

function attack(target: Target, one: Attack, who: string): Promise<number> {
  return judge.send(target, one, credentials[who] as Record<string, string>);
}

test("the test covers every published operation", () => {
  expect(targets.map(({ name }) => name).toSorted()).toEqual(operationNames.toSorted());
  const lead = targets.find(({ name }) => name === "submitLead");
  expect(lead?.bodyFields).toEqual(expect.arrayContaining(["email", "locationUuid", "phone"]));
});

describe.each(operationNames)("%s", (name) => {
  const target = (): Target => targets.find((one) => one.name === name) as Target;

  test("every hostile value in every parameter and field, from authorized callers", async () => {
    const all = rig.random.shuffled(attacksOn(target()));
    for (const one of all.slice(0, attacksOfRoute)) await attack(target(), one, "own");
    expect(judge.findings()).toEqual([]);
  });

  test("every hostile value in every parameter and field, from unauthorized callers", async () => {
    const all = attacksOn(target());
    for (const who of Object.keys(credentials))
      for (let count = 0; count < attacksByOthers; count += 1)
        await attack(target(), rig.random.pick(all), who);
    expect(judge.findings()).toEqual([]);
  });

  test("combinations of hostile values", async () => {
    for (let count = 0; count < mixedAttacks; count += 1)
      await attack(target(), randomAttack(target(), rig.random), "own");
    expect(judge.findings()).toEqual([]);
  });
});

test("all other routes: health, metrics, documents, pages and preflights", async () => {
  const others = gatehouse.app.declaredRoutes.filter(
    ({ config }) => !config?.operation && !config?.consoleOperation,
  );
  expect(others.length).toBeGreaterThan(5);
  for (const { method, url } of others)
    for (const verb of [method].flat()) {
      const target: Target = {
        name: `${verb} ${url}`,
        method: verb as Target["method"],
        path: url,
        parameters: Object.fromEntries(placesIn(url).map((place) => [place, "x"])),
        query: {},
        queryNames: ["q"],
        body: undefined,
        bodyFields: [],
        batch: undefined,
        headerNames: ["accept", "origin", "range", "if-none-match", "if-modified-since", "accept-encoding"],
        maxBytes: 0,
      };
      const all = rig.random.shuffled(attacksOn(target));
      for (const one of all.slice(0, attacksOfRoute)) await attack(target, one, "none");
    }
  expect(judge.findings()).toEqual([]);
});

test("the data stored by these requests is consistent", async () => {
  expect(await verifyStoredData(gatehouse.connectionString, {})).toMatchObject({ ok: true });
});
