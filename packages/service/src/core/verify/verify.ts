import pg from "pg";
import { primaryOf } from "../database/hosts.js";
import { clientWithSettings, sessionSettings } from "../database/pooler-client.js";
import { requireOrganization } from "../organizations/organizations.js";
import { addFindings, nothingFound, type Check, type Finding, type OverallCheck } from "./check.js";
import { counterChecks } from "./counters.js";
import { hashCheck, keyChecks } from "./keys.js";
import { linkChecks } from "./links.js";
import { localDayChecks, localTimeChecks } from "./local-times.js";
import { membershipCheck, organizationChecks } from "./organizations.js";
import type { Section } from "../stored-tables/section.js";
import { sectionsOf } from "../stored-tables/sections.js";
import { valueChecks } from "./values.js";

/**
 * Checks everything that the database does not guarantee: links between distributed tables, which have no foreign keys,
 * counters, and local times. It changes nothing and can run while the service is running, because each statement sees one
 * snapshot and runs are committed as a whole.
 */
export interface VerifyReport {
  ok: boolean;
  organizations: number;
  checks: CheckReport[];
}

export interface CheckReport {
  name: string;
  read: number;
  violations: number;
  /** Some of the invalid rows; absent if there are none. */
  examples?: string[];
}

const coreChecks: readonly Check[] = [
  ...linkChecks,
  ...counterChecks,
  ...keyChecks,
  ...localTimeChecks,
  ...localDayChecks,
];
export async function consistencyChecks(features: readonly WithChecks[]): Promise<readonly Check[]> {
  const added = await Promise.all(features.map(({ verifyChecks }) => verifyChecks?.() ?? []));
  return [...coreChecks, ...added.flat()];
}

interface WithChecks {
  readonly storedTables?: () => Promise<readonly Section[]>;
  readonly verifyChecks?: () => Promise<readonly Check[]>;
}

const overallChecks: OverallCheck[] = [...organizationChecks, hashCheck, membershipCheck];
/** Counting the rows of a very large table takes a while. */
const statementTimeoutMs = 15 * 60_000;

const VerifyingClient = clientWithSettings(pg.Client, {
  ...sessionSettings,
  default_transaction_read_only: "on",
});

export async function verifyStoredData(
  connectionString: string,
  options: {
    organizationId?: string | undefined;
    features: readonly WithChecks[];
    onCheck?: (report: CheckReport) => void;
  },
): Promise<VerifyReport> {
  const client = new VerifyingClient({
    connectionString: await primaryOf(connectionString),
    application_name: "gatehouse verify",
    statement_timeout: statementTimeoutMs,
  });
  // A lost connection fails the running statement. Without a listener, the event would also end the process.
  client.on("error", () => undefined);
  await client.connect();
  try {
    const { organizationId } = options;
    if (organizationId !== undefined) await requireOrganization(client, organizationId);
    const organizationIds = organizationId === undefined ? await listOrganizations(client) : [organizationId];
    const reports: CheckReport[] = [];
    const report = (name: string, { read, violations, examples }: Finding): void => {
      const found = { name, read, violations, ...(violations > 0 ? { examples } : {}) };
      reports.push(found);
      options.onCheck?.(found);
    };
    if (organizationId === undefined)
      for (const check of overallChecks) report(check.name, await check.run(client, organizationIds));
    // Values first, because the other checks assume valid values.
    const sections = await sectionsOf(options.features);
    const checks = await consistencyChecks(options.features);
    for (const check of [...valueChecks(sections), ...checks]) {
      if (check.inExportsOnly) continue;
      let total = nothingFound;
      for (const id of organizationIds) total = addFindings(total, await check.run(client, id));
      report(check.name, total);
    }
    return {
      ok: reports.every(({ violations }) => violations === 0),
      organizations: organizationIds.length,
      checks: reports,
    };
  } finally {
    await client.end();
  }
}

async function listOrganizations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>("select id from organizations order by id");
  return rows.map(({ id }) => id);
}
