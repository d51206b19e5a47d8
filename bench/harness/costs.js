/** What the service and PostgreSQL have spent so far; the difference of two readings is the cost of what lies between. */
import { readdirSync, readFileSync } from "node:fs";

const ticksPerSecond = 100;

/** Processor time in milliseconds, and bytes of the database's log. Linux only (/proc). */
export async function readCosts(client, servicePid) {
  const { rows } = await client.query(
    "select (pg_current_wal_lsn() - '0/0')::float8 as log, pg_backend_pid() as pid",
  );
  const postmaster = parentOf(rows[0].pid);
  const database = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === postmaster);
  return {
    logBytes: rows[0].log,
    serviceCpuMs: cpuMs(servicePid),
    databaseCpuMs: database.reduce(
      (sum, pid) => sum + cpuMs(pid),
      cpuMs(postmaster) + endedCpuMs(postmaster),
    ),
  };
}

/** What follows the name in parentheses: state, parent, ... */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function parentOf(pid) {
  return Number(statOf(pid)[1]);
}

function cpuMs(pid) {
  return ticksMs(statOf(pid).slice(11, 13));
}

/** Of children that have ended, such as workers of autovacuum: what they took must not go with them. */
function endedCpuMs(pid) {
  return ticksMs(statOf(pid).slice(13, 15));
}

function ticksMs(ticks) {
  return (ticks.reduce((sum, each) => sum + Number(each), 0) * 1000) / ticksPerSecond;
}
