import type pg from "pg";
import { writeAudit, type Actor } from "../../core/audit/audit.js";
import { nowMs } from "../../core/clock.js";
import { transaction } from "../../core/database/transaction.js";
import { configureOrganization } from "../../core/organizations/configure-organization.js";
import { requireOrganization } from "../../core/organizations/organizations.js";
import { exportedSettings } from "../../core/organizations/settings.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import { maxExamples, type Check, type Finding } from "../../core/verify/check.js";
import { locateProblems, type FoundProblem } from "./file/locate-problems.js";
import { TableFiller } from "./file/fill-tables.js";
import { readExport } from "./file/read-export.js";
import type { End, Head } from "./format.js";
import type { Section } from "../../core/stored-tables/section.js";

export interface ImportedExport {
  organizationUuid: string;
  /** The original organization, and the time of the export. */
  from: { uuid: string; name: string; takenAt: string; release: string };
  /** The times at which the file was continued. */
  continuedAt: string[];
  lines: Record<string, number>;
  sha256: string;
  notCarried: string[];
}

/** Data that an export does not contain. */
export const notCarried = [
  "API keys: their names are listed, as revoked keys. Create new ones and give them to the partners.",
  "Members: invite them, or create users.",
  "The captcha: set its type and secret again.",
  "Limit overrides and quotas of the organization: an operator sets them.",
  "Retention periods: nothing is deleted until you set them here.",
];

/**
 * Fills an empty organization with an export of another installation and keeps its identifiers. One
 * transaction under the organization's lock does this, so imports wait or are rejected meanwhile, and a crash
 * leaves no data. All checks of `gatehouse verify` run before it commits.
 */
export async function importExport(
  pool: pg.Pool,
  input: {
    organizationId: string;
    file: string;
    actor: Actor;
    checks: readonly Check[];
    /** What an organization stores. */
    sections: readonly Section[];
    onProgress?: (lines: number) => void;
  },
): Promise<ImportedExport> {
  const { organizationId, file, actor, checks, sections } = input;
  await requireOrganization(pool, organizationId);
  return transaction(pool, async (client) => {
    await client.query("set local timezone = 'UTC'");
    await client.query("select from import_turns where organization_id = $1 for no key update", [
      organizationId,
    ]);
    await requireEmpty(client, organizationId, sections);
    const { head, end, continuedAt } = await fill(client, input);
    const problems = await finish(client, organizationId, head.deletedBefore);
    await requireConsistent(client, { organizationId, file, checks, sections, problems });
    const settings = exportedSettings(head.settings);
    await configureOrganization(client, noSecretKey, { organizationId, actor, ...settings });
    const { organization, takenAt, release } = head;
    const from = { uuid: organization.uuid, name: organization.name, takenAt, release };
    await writeAudit(client, {
      organizationId,
      actor,
      action: "organization.import-export",
      subjectId: organizationId,
      detail: { from, lines: end.lines, sha256: end.sha256 },
    });
    const { lines, sha256 } = end;
    return { organizationUuid: organizationId, from, continuedAt, lines, sha256, notCarried };
  });

  async function fill(client: pg.PoolClient, { onProgress }: typeof input) {
    const filler = new TableFiller(client, organizationId);
    let head: Head | undefined;
    let ended: { end: End; continuedAt: string[] } | undefined;
    let read = 0;
    for await (const parts of readExport(file, sections)) {
      for (const part of parts) {
        if (part.is === "head") await requireElsewhere(client, (head = part.head));
        else if (part.is === "end") ended = part;
        else await filler.add(part.section, part.line);
      }
      onProgress?.((read += parts.length));
    }
    await filler.finish();
    const { uuid, line, kind } = filler.newest;
    requirePast(uuid, `Line ${line} (${kind}): the newest identifier of the file`);
    requirePast(head?.deletedBefore ?? "", "Line 1: deletedBefore");
    return { head: head as Head, ...(ended as { end: End; continuedAt: string[] }) };
  }
}

/** Except key names and the audit log, which every organization has. */
async function requireEmpty(
  client: pg.PoolClient,
  organizationId: string,
  sections: readonly Section[],
): Promise<void> {
  for (const { table, mayBeThere } of sections) {
    if (mayBeThere) continue;
    const { rowCount } = await client.query(`select from ${table} where organization_id = $1 limit 1`, [
      organizationId,
    ]);
    if ((rowCount ?? 0) > 0)
      throw invalidInput(
        `The organization is not empty: it has ${table.replaceAll("_", " ")}. Create a new organization and import into that one`,
      );
  }
}

/** The same identifiers cannot exist twice in a database. */
async function requireElsewhere(client: pg.PoolClient, { organization }: Head): Promise<void> {
  const { rowCount } = await client.query("select from organizations where id = $1", [organization.uuid]);
  if ((rowCount ?? 0) > 0)
    throw invalidInput(
      `The organization of this export, ${organization.uuid}, is on this installation. Import the file into another installation`,
    );
}

/** Identifiers are ordered by time, and new ones must come after these. */
function requirePast(newest: string, what: string): void {
  const madeAt = Number.parseInt(newest.replaceAll("-", "").slice(0, 12), 16);
  if (newest !== "" && newest[14] === "7" && madeAt > nowMs())
    throw invalidInput(
      `${what}, ${newest}, was created at ${new Date(madeAt).toISOString()}, which is in the future here. Correct the clock of this database's machine, and try again`,
    );
}

/** Derived data: counts and queues. */
async function finish(
  client: pg.PoolClient,
  organizationId: string,
  deletedBefore: string | null,
): Promise<FoundProblem[]> {
  // Null marks them for the next count.
  await client.query(
    `update import_turns
     set run_count = (select count(*) from import_runs where organization_id = $1), deleted_before = $2,
         records_base = null, bytes_base = null, days_known_for = null
     where organization_id = $1`,
    [organizationId, deletedBefore],
  );
  return [...(await nameMappings(client, organizationId)), ...(await enlistUploads(client, organizationId))];
}

/** lower() depends on the database, so this database computes the keys of the mapping names. */
async function nameMappings(client: pg.PoolClient, organizationId: string): Promise<FoundProblem[]> {
  const { rows } = await client.query<{ id: string }>(
    `select max(id::text) as id from mappings where organization_id = $1 group by lower(name) having count(*) > 1`,
    [organizationId],
  );
  if (rows.length > 0)
    return [
      {
        ...wrongRows(rows),
        name: "keys: mapping names differ in more than case",
        of: { table: "mappings", column: "name" },
      },
    ];
  await client.query("update mappings set name_key = id::text where organization_id = $1", [organizationId]);
  await client.query("update mappings set name_key = lower(name) where organization_id = $1", [
    organizationId,
  ]);
  return [];
}

async function enlistUploads(client: pg.PoolClient, organizationId: string): Promise<FoundProblem[]> {
  const { rows } = await client.query<{ id: string }>("select id from uploads where organization_id = $1", [
    organizationId,
  ]);
  const ids = rows.map(({ id }) => id);
  // Uploads expire by their last change. The cleanup checks these tomorrow.
  const { rows: enlisted } = await client.query<{ id: string }>(
    `insert into upload_queue (upload_id, organization_id, expires_at)
     select id, $2, now() + interval '1 day' from unnest($1::uuid[]) as upload (id)
     on conflict do nothing returning upload_id as id`,
    [ids, organizationId],
  );
  const free = new Set(enlisted.map(({ id }) => id));
  const taken = rows.filter(({ id }) => !free.has(id));
  if (taken.length === 0) return [];
  const name = "keys: no upload has the uuid of another upload on this installation";
  return [{ ...wrongRows(taken), name, of: { table: "uploads", column: "id" } }];
}

function wrongRows(rows: readonly { id: string }[]): Finding {
  return {
    read: rows.length,
    violations: rows.length,
    examples: rows.map(({ id }) => id).slice(0, maxExamples),
  };
}

/** The file is not trusted. It must pass all checks of stored data. */
async function requireConsistent(
  client: pg.PoolClient,
  {
    organizationId,
    file,
    checks,
    sections,
    problems,
  }: {
    organizationId: string;
    file: string;
    checks: readonly Check[];
    sections: readonly Section[];
    problems: FoundProblem[];
  },
): Promise<void> {
  for (const check of checks) {
    const finding = await check.run(client, organizationId);
    if (finding.violations > 0) problems.push({ ...check, ...finding });
  }
  if (problems.length === 0) return;
  const told = await locateProblems(file, problems, sections);
  throw invalidInput(`The file is inconsistent, and nothing was stored:\n  ${told.join("\n  ")}`);
}

/** Exports have no secrets to encrypt. */
const noSecretKey = (): never => {
  throw new Error("An export has no secrets");
};
