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

/** Attacks every route of the console, as operations/hostile-input.slow.test.ts attacks the public interface. */
const gatehouse = useApp();
const rig = startRig("hostile input: console");
const names = Object.keys(consoleOperations) as ConsoleOperationName[];
const targets = new Map<ConsoleOperationName, Target>();
let organization: SampleOrganization;
let elsewhere: SampleOrganization;
let memberUuid: string;
let judge: Judge;

/** The users who may do everything in their organization, and those who may do less or nothing. */
const people: { who: string; role?: Role; isElsewhere?: true }[] = [
  { who: "operator", role: "operator" },
  { who: "admin", role: "admin" },
  { who: "viewer", role: "viewer" },
  { who: "admin elsewhere", role: "admin", isElsewhere: true },
  { who: "without a session" },
];
const visitors = new Map<string, Visitor>();

beforeAll(async () => {
  organization = await sampleOrganization(gatehouse, { isDemo: true });
  elsewhere = await sampleOrganization(gatehouse);
  memberUuid = (await signedIn(gatehouse, "viewer", organization.organizationId)).userId;
  judge = new Judge(gatehouse, hostileLimits);
  for (const name of names) targets.set(name, consoleTarget(name, { organization, memberUuid }));
  // One-time compilation does not count as the cost of a request.
  for (const target of targets.values()) await attack(target, attackOn(target, {}), "operator");
});

afterAll(() => {
  const { requests, holdMs, heldBy, heapMegabytes } = judge.worst;
  rig.held({
    routes: names.length,
    requests,
    "longest block of the event loop, ms": Math.round(holdMs),
    "held by": heldBy,
    "largest heap beyond the start, garbage included, MB": heapMegabytes,
  });
});

/** Some requests end sessions and change passwords, so the test continues with a new user. */
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

test("every path parameter has a valid value to replace", () => {
  const known = Object.keys(pathParameters(organization, memberUuid));
  for (const name of names)
    expect(known, name).toEqual(expect.arrayContaining(placesIn(consoleOperations[name].path)));
});

test("the declaration of each route lists what it accepts", () => {
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

test("no route reads query or body fields that it does not declare", async () => {
  for (const [name, target] of targets) {
    // An import reads its records as the public endpoint does, and a sample contains a complete request.
    if (target.batch || name === "runSample") continue;
    await headersOf("operator");
    const one = attackOn(target, {});
    const reads = await readsOf(() => attack(target, one, "operator"), one.payload?.().toString());
    const undeclared = [
      ...[...reads.query].filter((field) => !target.queryNames.includes(field)),
      // The content of a field that is declared only as an object is not checked.
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

  test("every parameter and field is sent with every value, by users who may use the operation", async () => {
    await renewSampleFiles(gatehouse, organization, name);
    const all = rig.random.shuffled(attacksOn(target()));
    for (const one of all.slice(0, attacksOfRoute)) await attack(target(), one, "operator");
    for (let count = 0; count < mixedAttacks; count += 1)
      await attack(target(), randomAttack(target(), rig.random), "operator");
    expect(judge.findings()).toEqual([]);
  });

  test("every parameter and field is sent with every value, by everyone else", async () => {
    await renewSampleFiles(gatehouse, organization, name);
    const all = attacksOn(target());
    for (const { who } of people.slice(1))
      for (let count = 0; count < attacksByOthers; count += 1)
        await attack(target(), rig.random.pick(all), who);
    expect(judge.findings()).toEqual([]);
  });
});

test("the stored data satisfies every rule of `gatehouse verify`", async () => {
  expect(await verifyStoredData(gatehouse.connectionString, {})).toMatchObject({ ok: true });
});
