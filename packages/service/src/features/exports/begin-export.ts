import type pg from "pg";
import { showSettings } from "../../core/organizations/configure-organization.js";
import { showOrganization } from "../../core/organizations/organizations.js";
import { exportedSettings } from "../../core/organizations/settings.js";
import { conflictError } from "../../core/refusals/user-error.js";
import { packageVersion } from "../../core/version.js";
import { exportFormat, exportVersion, frameLine, HashChain, type Continued, type Head } from "./format.js";
import { boundAt, markLine, type Position } from "./position.js";
import { countRows, newestId } from "../../core/stored-tables/read-section.js";
import { boundOf, type Section } from "../../core/stored-tables/section.js";

/** The first lines of the export, and the position after them. */
export interface Begun {
  lines: string;
  position: Position;
}

/** Counts all rows first. Readers get the counts, and a continued export uses them to notice changes. */
export async function beginExport(
  client: pg.ClientBase,
  organizationId: string,
  sections: readonly Section[],
): Promise<Begun> {
  const { uuid, name } = await showOrganization(client, organizationId);
  const newest: Record<string, string> = {};
  for (const section of sections) {
    if (boundOf(section).section !== section.kind) continue;
    const id = await newestId(client, section, organizationId);
    if (id !== undefined) newest[section.kind] = id;
  }
  const start = { organizationId, newest, settled: {}, lines: {}, section: null, after: null, sha256: "" };
  const counted = Object.fromEntries(
    await mapSequentially(
      sections,
      async (section) => [section.kind, await countAt(client, start, section)] as const,
    ),
  );
  const head: Head = {
    kind: "head",
    format: exportFormat,
    version: exportVersion,
    release: packageVersion(),
    organization: { uuid, name },
    takenAt: await momentOf(client),
    lines: counted,
    settings: exportedSettings({ ...(await showSettings(client, organizationId)) }),
    deletedBefore: await readDeletedBefore(client, organizationId),
  };
  const line = frameLine(head);
  const chain = new HashChain();
  chain.add(line);
  const settled = Object.fromEntries(
    sections.filter(({ isSettled }) => isSettled).map(({ kind }) => [kind, counted[kind] ?? 0]),
  );
  const section = sections[0]?.kind ?? null;
  const position: Position = { ...start, settled, section, sha256: chain.mark() };
  return { lines: line + markLine(position), position };
}

/**
 * Fails if the rows of the export have changed, because the file would be inconsistent. An import that began
 * before the export may have added rows, and an undo may have removed some.
 */
export async function continueExport(
  client: pg.ClientBase,
  position: Position,
  sections: readonly Section[],
): Promise<Begun> {
  if (await wasErased(client, position))
    throw conflictError(
      "A person was erased since this export began and may be in it. Delete the file and start a new export",
    );
  for (const section of sections) {
    const before = position.settled[section.kind];
    if (before === undefined) continue;
    const now = await countAt(client, position, section);
    if (now !== before)
      throw conflictError(
        `The data of this export has changed since it began: ${section.table} had ${before} rows and now has ${now}. Start a new export`,
      );
  }
  const line: Continued = { kind: "continued", takenAt: await momentOf(client) };
  return { lines: frameLine(line), position };
}

function countAt(client: pg.ClientBase, position: Position, section: Section): Promise<number> {
  const bound = boundAt(position, section);
  const { organizationId } = position;
  return bound === undefined ? Promise.resolve(0) : countRows(client, section, { organizationId, bound });
}

/** Without this check, the file would still contain an erased person. */
const erasing = ["person.begin-delete", "organization.reset-demo"];

async function wasErased(client: pg.ClientBase, { organizationId, newest }: Position): Promise<boolean> {
  const { rowCount } = await client.query(
    "select from audit_log where organization_id = $1 and id > $2 and action = any ($3) limit 1",
    [organizationId, newest["audit"], erasing],
  );
  return (rowCount ?? 0) > 0;
}

async function momentOf(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ now: Date }>("select now() as now");
  return (rows[0] as { now: Date }).now.toISOString();
}

async function readDeletedBefore(client: pg.ClientBase, organizationId: string): Promise<string | null> {
  const { rows } = await client.query<{ deletedBefore: string | null }>(
    'select deleted_before as "deletedBefore" from import_turns where organization_id = $1',
    [organizationId],
  );
  return rows[0]?.deletedBefore ?? null;
}

/** Sequentially, because they share a connection. */
async function mapSequentially<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
