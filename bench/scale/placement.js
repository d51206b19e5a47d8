/**
 * node bench/scale/placement.js
 *
 * How 10,000 organizations of very different sizes lie on the workers of a cluster, and how often something has to be moved,
 * through a year in which all of them grow or shrink. Nothing is measured here: it computes with what measure.js has
 * measured, and with a fixed seed, so every run says the same. Writes results/placement.json for docs/scaling.md.
 */
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const results = (name) => fileURLToPath(new URL(`../results/${name}.json`, import.meta.url));
const { imports } = JSON.parse(readFileSync(results("scale"), "utf8"));

const organizations = 10_000;
/** Of all of them together, when the year begins; a thousandth of what their limits allow. */
const recordsPerSecond = 5_000;
/** The limit of one: 60 batches of 500 a minute. */
const mostRecordsPerSecond = 500;
/** The organization in place n has 1/n of the records of the first. */
const sizeExponent = 1;
const monthlyGrowth = 0.02;
/** An organization's own month: a third of them change by more than a fifth, up or down. */
const monthlySpread = 0.2;
const keptDays = 90;
const days = 365;
const daysOfAMonth = 30;
const secondsOfADay = 86_400;

const worker = { bytes: 8e12, cores: 8, movedBytesPerDay: 100e6 * secondsOfADay };
/** Above it something is moved away; what is left is for the moves themselves, vacuum and the log. */
const fullAt = 0.8;
/** As soon as all together are so full, another worker is added. */
const addedAt = 0.65;
/** An organization of more than this share of a worker gets a shard of its own. */
const isolatedAt = 0.02;

const bytesPerRecord = Object.entries(imports.tables)
  .filter(([table]) => table !== "import_runs")
  .reduce((sum, [, { dataBytesPerRow, indexBytesPerRow }]) => sum + dataBytesPerRow + indexBytesPerRow, 0);
const coreSecondsPerRecord = imports.databaseCpuMsPerBatch / 1000 / 500;

const simulations = [
  { shards: 32, areLargeIsolated: false },
  { shards: 128, areLargeIsolated: false },
  { shards: 128, areLargeIsolated: true },
  { shards: 512, areLargeIsolated: false },
  { shards: 512, areLargeIsolated: true },
  { shards: 1_024, areLargeIsolated: true },
].map((choice) => ({ ...choice, ...simulate(choice) }));
const given = {
  organizations,
  recordsPerSecond,
  sizeExponent,
  monthlyGrowth,
  monthlySpread,
  keptDays,
  days,
  worker,
};
const document = `${JSON.stringify({ given, bytesPerRecord, coreSecondsPerRecord, simulations }, null, 2)}\n`;
await writeFile(results("placement"), document);
console.table(simulations);

/** One year, day by day. */
function simulate({ shards, areLargeIsolated }) {
  const random = seededRandom(20_261_117);
  const members = firstOrganizations(random, shards);
  const cluster = firstCluster(members, shards);
  const begunWith = cluster.workers.length;
  const seen = {
    fullestAtFirst: 0,
    fullestLater: 0,
    busiest: 0,
    daysOverFull: 0,
    moves: 0,
    movedBytes: 0,
    isolated: 0,
  };
  for (let day = 0; day < days; day += 1) {
    if (day > 0 && day % daysOfAMonth === 0) growAll(members, random);
    for (const member of members) keepForItsTime(member);
    if (areLargeIsolated) seen.isolated += isolateLarge(cluster, members);
    weigh(cluster, members);
    if (fillOf(cluster.workers) > addedAt) cluster.workers.push(newWorker());
    if (day === 0) seen.fullestAtFirst = fullestOf(cluster.workers);
    seen.daysOverFull += cluster.workers.some(({ bytes }) => bytes > worker.bytes) ? 1 : 0;
    const moved = moveWhereFull(cluster);
    seen.moves += moved.moves;
    seen.movedBytes += moved.bytes;
    if (day >= daysOfAMonth) seen.fullestLater = Math.max(seen.fullestLater, fullestOf(cluster.workers));
    seen.busiest = Math.max(seen.busiest, ...cluster.workers.map(({ cores }) => cores / worker.cores));
  }
  const largest = members.reduce((one, other) => (other.bytes > one.bytes ? other : one));
  return {
    workers: `${begunWith} to ${cluster.workers.length}`,
    storedTerabytes: terabytes(cluster.workers.reduce((sum, { bytes }) => sum + bytes, 0)),
    shardsOfTheirOwn: seen.isolated,
    movesAMonth: Number(((seen.moves / days) * daysOfAMonth).toFixed(1)),
    movedTerabytesAMonth: terabytes((seen.movedBytes / days) * daysOfAMonth),
    fullestAsDealtOut: Number(seen.fullestAtFirst.toFixed(2)),
    fullestAfterAMonth: Number(seen.fullestLater.toFixed(2)),
    daysAWorkerWasOverfull: seen.daysOverFull,
    busiestWorker: Number(seen.busiest.toFixed(2)),
    largestOrganizationOfAWorker: Number((largest.bytes / worker.bytes).toFixed(2)),
  };
}

/** As after many months at the same pace, so that as much is deleted every day as comes. */
function firstOrganizations(random, shards) {
  const weights = Array.from({ length: organizations }, (_, index) => (index + 1) ** -sizeExponent);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => {
    const rate = Math.min((recordsPerSecond * weight) / all, mostRecordsPerSecond);
    return {
      rate,
      bytes: rate * secondsOfADay * keptDays * bytesPerRecord,
      shard: Math.floor(random() * shards),
    };
  });
}

/** Shards are dealt out in turn, whatever will be in them: that is how they are made, on an empty database. */
function firstCluster(members, shards) {
  const stored = members.reduce((sum, { bytes }) => sum + bytes, 0);
  const workers = Array.from({ length: Math.ceil(stored / worker.bytes / addedAt) }, newWorker);
  const places = Array.from({ length: shards }, (_, index) => workers[index % workers.length]);
  return { workers, shards: places.map((place) => ({ place, bytes: 0, cores: 0 })) };
}

function newWorker() {
  return { bytes: 0, cores: 0 };
}

function growAll(members, random) {
  for (const member of members) {
    const own = Math.exp(monthlySpread * normal(random) - monthlySpread ** 2 / 2);
    member.rate = Math.min(member.rate * own * (1 + monthlyGrowth), mostRecordsPerSecond);
  }
}

/** The day's records come, and those of the day that is now too long ago go: on the average a share of all. */
function keepForItsTime(member) {
  member.bytes += member.rate * secondsOfADay * bytesPerRecord - member.bytes / keptDays;
}

/** Each gets a new shard, on the worker where it is already. */
function isolateLarge({ shards }, members) {
  const large = members.filter(({ bytes, isAlone }) => !isAlone && bytes > isolatedAt * worker.bytes);
  for (const member of large) {
    const { place } = shards[member.shard];
    member.isAlone = true;
    member.shard = shards.push({ place, bytes: 0, cores: 0 }) - 1;
  }
  return large.length;
}

function weigh({ workers, shards }, members) {
  for (const part of [...workers, ...shards]) Object.assign(part, newWorker());
  for (const { shard, bytes, rate } of members) {
    shards[shard].bytes += bytes;
    shards[shard].cores += rate * coreSecondsPerRecord;
  }
  for (const { place, bytes, cores } of shards) {
    place.bytes += bytes;
    place.cores += cores;
  }
}

/** From the fullest to the emptiest, until none is too full, no move helps, or the day is over. */
function moveWhereFull({ workers, shards }) {
  let moves = 0;
  let moved = 0;
  for (;;) {
    const byFill = workers.toSorted((one, other) => other.bytes - one.bytes);
    const [fullest] = byFill;
    const emptiest = byFill.at(-1);
    if (fullest.bytes <= fullAt * worker.bytes) break;
    // The one that leaves the two of them most alike.
    const half = (fullest.bytes - emptiest.bytes) / 2;
    const [best] = shards
      .filter(({ place, bytes }) => place === fullest && bytes > 0 && bytes < 2 * half)
      .toSorted((one, other) => Math.abs(one.bytes - half) - Math.abs(other.bytes - half));
    if (best === undefined || moved + best.bytes > worker.movedBytesPerDay) break;
    best.place = emptiest;
    for (const name of ["bytes", "cores"]) {
      fullest[name] -= best[name];
      emptiest[name] += best[name];
    }
    moves += 1;
    moved += best.bytes;
  }
  return { moves, bytes: moved };
}

function fullestOf(workers) {
  return Math.max(...workers.map(({ bytes }) => bytes / worker.bytes));
}

function fillOf(workers) {
  return workers.reduce((sum, { bytes }) => sum + bytes, 0) / (workers.length * worker.bytes);
}

/** Numbers from 0 to 1, the same ones every time (by Lehmer). */
function seededRandom(seed) {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** By Box and Muller. */
function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function terabytes(bytes) {
  return Number((bytes / 1e12).toFixed(1));
}
