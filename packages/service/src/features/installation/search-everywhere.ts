import { isStorableText, isUuid } from "@gatehouse-parking/contract";
import type { FoundAnywhere, FoundEverywhere } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { naturalOrder } from "../../core/database/sql.js";
import { shownPrefix } from "../../core/gate/api-key-format.js";
import { matchesName, nameParameters } from "../../core/organizations/organizations.js";
import { momentOfId } from "../../core/paging/pages.js";

const maxHits = 25;
const maxPerLookUp = 10;
/** An identifier matches one row per organization through an index, so at most this many rows are read. */
const organizationsPerLookUp = 1_000;
/** A shorter prefix would match every key. */
const minPrefixLength = 5;

interface Place {
  id: string;
  name: string;
}

const findNames = `
  select id, name from organizations as organization where ${matchesName("organization", 1)}
  order by ${naturalOrder("name")}, id limit ${maxPerLookUp + 1}`;

const findKeys = `
  select key.id, key.name, key.prefix, organization.id as organization_id, organization.name as organization_name
  from api_keys as key join organizations as organization on organization.id = key.organization_id
  where starts_with(key.prefix, $1) order by key.id desc limit ${maxPerLookUp + 1}`;

/** Uses the index that begins with the organization: one probe per organization. A cluster asks all nodes. */
export const findRuns = `
  select organization_id, id from import_runs where organization_id = any ($1::uuid[]) and id = $2`;

const findRequests = `
  select organization_id, id, operation, status, run_id from request_log
  where organization_id = any ($1::uuid[]) and request_id = $2
  order by id desc limit ${maxPerLookUp + 1}`;

/** A single search for identifiers that belong to one organization. */
export async function searchEverywhere(
  pool: pg.Pool,
  { typed, isRequestLogKept }: { typed: string; isRequestLogKept: boolean },
): Promise<FoundEverywhere> {
  const text = typed.trim();
  const answer = { query: text, isRequestLogKept };
  if (text === "" || !isStorableText(text)) return { ...answer, hits: [], truncated: false };
  const found = [
    await findByName(pool, text),
    await findByPrefix(pool, text),
    await findByIdentifier(pool, text),
  ];
  const hits = found.flatMap((part) => part.slice(0, maxPerLookUp));
  const isCut = hits.length > maxHits || found.some((part) => part.length > maxPerLookUp);
  return { ...answer, hits: hits.slice(0, maxHits), truncated: isCut };
}

async function findByName(pool: pg.Pool, text: string): Promise<FoundAnywhere[]> {
  const { rows } = await pool.query<Place>(findNames, nameParameters(text));
  return rows.map(({ id, name }) => ({
    kind: "organization",
    organization: { uuid: id, name },
    uuid: id,
    title: name,
    at: null,
  }));
}

/** Searches only for the public prefix, even if the whole key was entered. */
async function findByPrefix(pool: pg.Pool, text: string): Promise<FoundAnywhere[]> {
  const prefix = shownPrefix(text);
  if (prefix.length < minPrefixLength) return [];
  const { rows } = await pool.query<
    Place & { prefix: string; organization_id: string; organization_name: string }
  >(findKeys, [prefix]);
  return rows.map((row) => ({
    kind: "api-key",
    organization: { uuid: row.organization_id, name: row.organization_name },
    uuid: row.id,
    title: `${row.name} (${row.prefix}…)`,
    at: null,
  }));
}

async function findByIdentifier(pool: pg.Pool, text: string): Promise<FoundAnywhere[]> {
  const hits: FoundAnywhere[] = [];
  for (let after: string | undefined; ;) {
    const { rows: places } = await pool.query<Place>(
      `select id, name from organizations where $1::uuid is null or id > $1 order by id limit ${organizationsPerLookUp}`,
      [after ?? null],
    );
    if (places.length === 0) return hits;
    hits.push(...(await findAmong(pool, places, text)));
    if (hits.length > maxPerLookUp || places.length < organizationsPerLookUp) return hits;
    after = places.at(-1)?.id;
  }
}

async function findAmong(pool: pg.Pool, places: readonly Place[], text: string): Promise<FoundAnywhere[]> {
  const ids = places.map(({ id }) => id);
  const organizationOf = (id: string) => ({
    uuid: id,
    name: places.find((place) => place.id === id)?.name ?? "",
  });
  const hits: FoundAnywhere[] = [];
  if (isUuid(text)) {
    const runs = await pool.query<{ organization_id: string; id: string }>(findRuns, [ids, text]);
    for (const { organization_id: organizationId, id } of runs.rows)
      hits.push({
        kind: "run",
        organization: organizationOf(organizationId),
        uuid: id,
        title: "Import",
        at: momentOfId(id).toISOString(),
      });
  }
  // Identifiers from the service are lower case. References from callers keep their case.
  for (const requestId of new Set(isUuid(text) ? [text, text.toLowerCase()] : [text])) {
    const requests = await pool.query<RequestRow>(findRequests, [ids, requestId]);
    for (const row of requests.rows)
      hits.push({
        kind: row.run_id === null ? "request" : "run",
        organization: organizationOf(row.organization_id),
        uuid: row.run_id ?? row.id,
        title: `${row.operation}, ${row.status ?? "client gone"}`,
        at: momentOfId(row.id).toISOString(),
      });
  }
  return hits;
}

interface RequestRow {
  organization_id: string;
  id: string;
  operation: string;
  status: number | null;
  run_id: string | null;
}
