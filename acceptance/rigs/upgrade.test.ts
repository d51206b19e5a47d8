import { afterAll, beforeAll, expect, test } from "vitest";
import { startService, until } from "../running-service.js";
import { newTenant } from "./fleet.js";
import { acknowledgedKeys, contradictions } from "./history.js";
import { startLoad, type Load } from "./load.js";
import { crashWhileIndexing, crashWhileWaiting, type Crash } from "./migration-crashes.js";
import { tryProtectionsBeside } from "./mixed-releases.js";
import {
  buildOlderReleases,
  buildPreviousRelease,
  laterVersion,
  makeRelease,
  thisRelease,
  type Release,
} from "./releases.js";
import { amount, isLong, startRig } from "./rig.js";
import { startRollout, type Rollout } from "./rollout.js";

/**
 * A release works with its own schema and with the next one's. The short form tests this release with the
 * next schema: a copy of this build with more migrations. The long form also runs earlier releases.
 * packages/service/src/previous-release.test.ts tests the writes of earlier releases in each run.
 */
const clients = 4;
const size = amount(2, 3);
/** The number of instances that go back to the older release. */
const wayBack = amount(1, size);
/** Answers that each stage needs before the next one begins. */
const stageRequests = amount(15, 150);

let current: Release;
let next: Release;
let beyond: Release;
let last: Release;
const releases: Release[] = [];
beforeAll(async () => {
  current = await thisRelease();
  const version = laterVersion(current.version, 1);
  const additions = [
    "-- phase: expand\ncreate table rig_notes (organization_id uuid primary key);\nalter table transactions add column rig_note text",
    "-- phase: expand\n-- transaction: none\ncreate index concurrently if not exists transactions_by_rig_note on transactions (organization_id, rig_note)",
  ];
  const ending = (minimum: string) =>
    `-- phase: contract; minimum release ${minimum}\ncomment on table leads is 'rig'`;
  next = await makeRelease(version, additions);
  beyond = await makeRelease(laterVersion(version, 1), [...additions, ending(version)]);
  last = await makeRelease(version, [ending(current.version)]);
  releases.push(next, beyond, last);
});
afterAll(async () => {
  for (const release of releases) await release.leave();
});

/** Some thirty processes are started, one after the other. */
const timeoutMs = 1_800_000;

test(
  "migrations of the next release, replacements, crashes and rollbacks lose no record, and this release keeps working",
  async () => {
    await upgrade("upgrade to the next release", {
      old: current,
      new: next,
      later: beyond,
      crashDuring: [crashWhileWaiting("select from transactions"), crashWhileIndexing],
      refusal: /releases before .* cannot work on/,
    });
  },
  timeoutMs,
);

if (isLong) {
  test(
    "the same from the previous release to this one",
    async () => {
      await upgrade("upgrade from the previous release", {
        old: await previousRelease(),
        new: current,
        later: last,
        // Every migration writes its line there.
        crashDuring: [crashWhileWaiting("lock table applied_migrations in share mode")],
        refusal: /releases before .* cannot work on/,
      });
    },
    timeoutMs,
  );

  test(
    "an instance of an older release on the same database weakens no protection of this release",
    async () => {
      const older = await buildOlderReleases();
      releases.push(...older);
      for (const release of [await previousRelease(), ...older]) {
        const rig = startRig(`mixed releases: ${release.version}`);
        rig.held(await tryProtectionsBeside(release, current));
      }
    },
    timeoutMs,
  );
}

let previous: Release | undefined;
async function previousRelease(): Promise<Release> {
  if (!previous) {
    previous = await buildPreviousRelease();
    releases.push(previous);
  }
  return previous;
}

interface Upgrade {
  old: Release;
  new: Release;
  /** Has a migration that excludes the old release. */
  later: Release;
  crashDuring: Crash[];
  /** The log message of the old release then. */
  refusal: RegExp;
}

async function upgrade(name: string, releases: Upgrade): Promise<void> {
  const rig = startRig(name);
  const { old, later } = releases;
  const rollout = await startRollout(old, size);
  try {
    const tenant = await newTenant((...words) => rollout.command(old, ...words), "Upgrade");
    const load = startLoad({ clients, tenant, random: rig.random, ask: rollout.ask });
    await load.more(stageRequests);

    for (const crash of releases.crashDuring)
      await crash({
        rollout,
        release: releases.new,
        random: rig.random,
        more: () => load.more(stageRequests),
      });
    expect((await rollout.command(releases.new, "migrate")).exitCode).toBe(0);
    await expectAtHome(rollout, old);
    await rollout.crash(old);
    await load.more(stageRequests);

    await rollout.replace(releases.new, size);
    await rollout.crash(releases.new);
    await load.more(stageRequests);

    // The rollback, and the upgrade again.
    await rollout.replace(old, wayBack);
    await load.more(stageRequests);
    await rollout.replace(releases.new, wayBack);
    await expectShutOut(rollout, old, later, releases.refusal);
    await load.more(stageRequests);

    await load.stop();
    expect(await findContradictions(rollout, load)).toEqual([]);
    const acknowledged = acknowledgedKeys("transactions", load.operations).length;
    await load.replay();
    expect(await findContradictions(rollout, load)).toEqual([]);
    expect((await rollout.command(releases.new, "verify")).json).toMatchObject({ ok: true });
    rig.held({
      from: old.version,
      to: releases.new.version,
      instances: size,
      "instances replaced": size + 2 * wayBack,
      "instances killed": 2,
      "migrations killed": releases.crashDuring.length,
      "requests answered": load.answered,
      "of these sent more than once": load.cured,
      "requests that no retry cured": 0,
      "transactions acknowledged": acknowledged,
    });
  } finally {
    await rollout.leave();
  }
}

/** On the schema of the newer release, an older one is ready, starts, and has nothing to migrate. */
async function expectAtHome(rollout: Rollout, release: Release): Promise<void> {
  for (const instance of rollout.instances) expect((await rollout.readiness(instance)).status).toBe(200);
  expect((await rollout.command(release, "migrate")).json).toEqual({ applied: [] });
  expect((await rollout.command(release, "verify")).json).toMatchObject({ ok: true });
}

/** A migration with a minimum release: an older instance reports it while it runs, and does not start again. */
async function expectShutOut(rollout: Rollout, old: Release, later: Release, refusal: RegExp): Promise<void> {
  const outdated = await rollout.start(old);
  expect((await rollout.command(later, "migrate")).json.applied).toHaveLength(1);
  for (const instance of rollout.instances) expect((await rollout.readiness(instance)).status).toBe(200);
  // Its information about the database may be a second old.
  await until(async () => (await rollout.readiness(outdated)).status === 503);
  outdated.kill("SIGTERM");
  await outdated.ended;
  await expect(startService(rollout.place(old))).rejects.toThrow(refusal);
  expect((await rollout.command(old, "migrate")).stderr).toMatch(refusal);
  expect((await rollout.command(old, "organization", "list")).stderr).toMatch(refusal);
}

async function findContradictions(rollout: Rollout, load: Load): Promise<string[]> {
  const stored = await rollout.database.query("select transaction_id as key, id as uuid from transactions");
  return contradictions("transactions", load.operations, stored);
}
