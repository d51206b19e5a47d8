import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRig } from "../../../../../testing/rig.js";
import { pathParameters } from "../../../testing/console-requests.js";
import { ownPage, signedIn, type Visitor } from "../../../testing/console.js";
import { useApp } from "../../../testing/harness.js";
import {
  attackOn,
  attacksOn,
  placesIn,
  randomAttack,
  type Attack,
  type Target,
} from "../../../testing/hostile/attacks.js";
import { consoleTarget } from "../../../testing/hostile/console-targets.js";
import { Judge } from "../../../testing/hostile/judge.js";
import { readsOf } from "../../../testing/hostile/reads.js";
import {
  attacksByOthers,
  attacksOfRoute,
  hostileLimits,
  mixedAttacks,
} from "../../../testing/hostile/limits.js";
import { renewSampleFiles } from "../../../testing/sample-files.js";
import { sampleOrganization, type SampleOrganization } from "../../../testing/sample-organization.js";
import type { Role } from "../organizations/accounts.js";
import { verifyStoredData } from "../../../testing/verify.js";
import { consoleOperations, type ConsoleOperationName } from "@gatehouse-parking/contract/console";

/** The console's routes, every one of the table, as operations/hostile-input.slow.test.ts attacks the public interface. */
const gatehouse = useApp();
const rig = startRig("hostile input: console");
const names = Object.keys(consoleOperations) as ConsoleOperationName[];
const targets = new Map<ConsoleOperationName, Target>();
let organization: SampleOrganization;
let elsewhere: SampleOrganization;
let memberUuid: string;
let judge: Judge;

/** Those who may do everything in their organization, and those who may do less or nothing. */
const people: { who: string; role?: Role; isElsewhere?: true }[] = [
  { who: "operator", role: "operator" },
  { who: "admin", role: "admin" },
  { who: "viewer", role: "viewer" },
  { who: "admin elsewhere", role: "admin", isElsewhere: true },
  { who: "nobody" },
];
const visitors = new Map<string, Visitor>();

beforeAll(async () => {
  organization = await sampleOrganization(gatehouse, { isDemo: true });
  elsewhere = await sampleOrganization(gatehouse);
  memberUuid = (await signedIn(gatehouse, "viewer", organization.organizationId)).userId;
  judge = new Judge(gatehouse, hostileLimits);
  for (const name of names) targets.set(name, consoleTarget(name, { organization, memberUuid }));
  // What is compiled once is not what a request costs.
  for (const target of targets.values()) await attack(target, attackOn(target, {}), "operator");
});

afterAll(() => {
  const { requests, holdMs, heldBy, heapMegabytes } = judge.worst;
  rig.held({
    routes: names.length,
    requests,
    "longest hold of the event loop, ms": Math.round(holdMs),
    "held by": heldBy,
    "largest heap beyond the start, garbage included, MB": heapMegabytes,
  });
});

/** Some requests end sessions and change passwords; then somebody new comes. */
function endsSession(name: string, status: number): boolean {
  return status === 401 || name === "signOut" || name === "changePassword";
}

async function headersOf(who: string): Promise<Record<string, string>> {
  const { role, isElsewhere } = people.find((one) => one.who === who) as (typeof people)[number];
  if (!role) return { ...ownPage };
  const home = isElsewhere ? elsewhere : organization;
  const visitor = visitors.get(who) ?? (await signedIn(gatehouse, role, home.organizationId));
  visitors.set(who, visitor);
  return { ...ownPage, "content-type": "application/json", cookie: visitor.cookie };
}

async function attack(target: Target, one: Attack, who: string): Promise<void> {
  const status = await judge.send(target, one, await headersOf(who));
  if (endsSession(target.name, status)) visitors.delete(who);
}

test("every parameter of a path has something to stand in its place", () => {
  const known = Object.keys(pathParameters(organization, memberUuid));
  for (const name of names)
    expect(known, name).toEqual(expect.arrayContaining(placesIn(consoleOperations[name].path)));
});

test("what a route takes is known from its declaration", () => {
  const takes = (name: ConsoleOperationName) => targets.get(name) as Target;
  expect(takes("getLocalDays").queryNames.toSorted()).toEqual(["fromDate", "location", "toDate"]);
  expect(takes("listRuns").queryNames).toEqual(expect.arrayContaining(["before", "limit", "from", "apiKey"]));
  expect(takes("listLocations").queryNames).toEqual(expect.arrayContaining(["query", "page", "pageSize"]));
  expect(takes("createApiKey").bodyFields).toEqual(
    expect.arrayContaining(["name", "permissions", "expiresAt"]),
  );
  expect(takes("changeSettings").bodyFields).toEqual(
    expect.arrayContaining(["captcha", "captcha.type", "captcha.minimumScore", "leadOrigins"]),
  );
});

test("no route reads more of a query or a body than it declares", async () => {
  for (const [name, target] of targets) {
    // An import reads its records as the public endpoint does, and a sample is a request of its own.
    if (target.batch || name === "runSample") continue;
    await headersOf("operator");
    const one = attackOn(target, {});
    const reads = await readsOf(() => attack(target, one, "operator"), one.payload?.().toString());
    const undeclared = [
      ...[...reads.query].filter((field) => !target.queryNames.includes(field)),
      // What is in an object that is declared as a whole is its own affair.
      ...[...reads.body].filter(
        (field) =>
          !target.bodyFields.includes(field) &&
          !target.openFields?.some((open) => field.startsWith(`${open}.`)),
      ),
    ];
    expect(undeclared, name).toEqual([]);
  }
});

describe.each(names)("%s", (name) => {
  const target = (): Target => targets.get(name) as Target;

  test("every parameter and field with every value, for whoever may use it", async () => {
    await renewSampleFiles(gatehouse, organization, name);
    const all = rig.random.shuffled(attacksOn(target()));
    for (const one of all.slice(0, attacksOfRoute)) await attack(target(), one, "operator");
    for (let count = 0; count < mixedAttacks; count += 1)
      await attack(target(), randomAttack(target(), rig.random), "operator");
    expect(judge.findings()).toEqual([]);
  });

  test("the same for everybody else", async () => {
    await renewSampleFiles(gatehouse, organization, name);
    const all = attacksOn(target());
    for (const { who } of people.slice(1))
      for (let count = 0; count < attacksByOthers; count += 1)
        await attack(target(), rig.random.pick(all), who);
    expect(judge.findings()).toEqual([]);
  });
});

test("what was stored on the way keeps every rule of the data", async () => {
  expect(await verifyStoredData(gatehouse.connectionString, {})).toMatchObject({ ok: true });
});
