import pg from "pg";
import { primaryOf } from "../database/hosts.js";
import { requireOrganization } from "../organizations/organizations.js";
import type { Check } from "./check.js";
import { counterChecks } from "./counters.js";
import { keyChecks } from "./keys.js";
import { linkChecks } from "./links.js";
import { localTimeChecks } from "./local-times.js";

/**
 * Reads everything that is stored and checks what the database itself does not: the hot tables do without foreign
 * keys, counters are kept beside the rows they count, and the time of the wall clock is computed by the service. It
 * changes nothing and can run beside running instances, because each statement sees one moment of the database and
 * a run commits as a whole.
 */
export interface VerifyReport {
  ok: boolean;
  /** How many organizations were looked at. */
  organizations: number;
  checks: CheckReport[];
}

export interface CheckReport {
  name: string;
  read: number;
  violations: number;
  /** Some of the wrong rows; absent if there are none. */
  examples?: string[];
}

const checks: Check[] = [...linkChecks, ...counterChecks, ...keyChecks, ...localTimeChecks];
/** Counting the rows of a very large table takes a while. */
const statementTimeoutMs = 15 * 60_000;

export async function verifyStoredData(
  connectionString: string,
  options: { organizationId?: string | undefined; onCheck?: (report: CheckReport) => void } = {},
): Promise<VerifyReport> {
  const client = new pg.Client({
    connectionString: await primaryOf(connectionString),
    application_name: "gatehouse verify",
    statement_timeout: statementTimeoutMs,
    options: "-c default_transaction_read_only=on",
  });
  // A connection that is lost fails the statement at work; as an event without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { organizationId } = options;
    if (organizationId !== undefined) await requireOrganization(client, organizationId);
    const reports: CheckReport[] = [];
    for (const check of checks) {
      const { read, violations, examples } = await check.run(client, organizationId);
      const report = { name: check.name, read, violations, ...(violations > 0 ? { examples } : {}) };
      reports.push(report);
      options.onCheck?.(report);
    }
    const organizations = organizationId === undefined ? await countOrganizations(client) : 1;
    return { ok: reports.every((report) => report.violations === 0), organizations, checks: reports };
  } finally {
    await client.end();
  }
}

async function countOrganizations(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>("select count(*)::int as count from organizations");
  return rows[0]?.count ?? 0;
}
