/** The processor time of the service and of PostgreSQL so far; the difference of two readings is the cost in between. */
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

/**
 * @typedef {{ serviceCpuMs: number, databaseCpuMs: number }} Costs
 */

/**
 * Processor time in milliseconds. Linux only (/proc).
 * @param {import("pg").Client} client
 * @param {number | undefined} servicePid
 * @returns {Promise<Costs>}
 */
export async function readCosts(client, servicePid) {
  const { rows } = await client.query("select pg_backend_pid() as pid");
  const postmaster = parentOf(rows[0].pid);
  const database = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === postmaster);
  return {
    serviceCpuMs: cpuMs(servicePid),
    databaseCpuMs: database.reduce(
      (sum, pid) => sum + cpuMs(pid),
      cpuMs(postmaster) + endedCpuMs(postmaster),
    ),
  };
}

/** @typedef {number | string | undefined} ProcessId */

/**
 * The fields after the name in parentheses: state, parent, ...
 * @param {ProcessId} pid
 */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    // The process has ended.
    return [];
  }
}

/** @param {ProcessId} pid */
function parentOf(pid) {
  return Number(statOf(pid)[1]);
}

/** @param {ProcessId} pid */
function cpuMs(pid) {
  return ticksMs(statOf(pid).slice(11, 13));
}

/**
 * Includes children that have ended, such as autovacuum workers.
 * @param {ProcessId} pid
 */
function endedCpuMs(pid) {
  return ticksMs(statOf(pid).slice(13, 15));
}

/** @param {string[]} ticks */
function ticksMs(ticks) {
  const sum = ticks.reduce((total, each) => total + Number(each), 0);
  return (sum * 1000) / ticksPerSecond;
}
