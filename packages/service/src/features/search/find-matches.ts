import { emailKey, isUuid, type Match } from "@gatehouse-parking/contract";
import { recordKinds, type MatchedBy, type SearchHit } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { columnName } from "../../core/entities/columns.js";
import { storedTable } from "../../core/entities/entities.js";
import type { StoredEntity } from "../../core/entities/stored-entity.js";
import { firstIdAt, momentOfId } from "../../core/paging/pages.js";

const maxPerLookUp = 10;

export interface FoundMatch {
  kind: SearchHit["kind"];
  id: string;
  matched_by: MatchedBy;
  title: string | null;
  subtitle: string | null;
}

/** Looks the text up as every kind of identifier, each by an index. */
export async function findMatches(
  pool: pg.Pool,
  organizationId: string,
  text: string,
): Promise<FoundMatch[]> {
  const { rows } = await pool.query<FoundMatch>(statement, [
    organizationId,
    ...forms.map(({ of }) => of(text)),
  ]);
  const keys = isUuid(text)
    ? await pool.query<FoundMatch>(keyStatement, [organizationId, text])
    : { rows: [] };
  // A contact may match by email and by reference. The first match counts.
  const first = new Map<string, FoundMatch>();
  for (const match of [...rows, ...keys.rows]) {
    const name = `${match.kind} ${match.id}`;
    if (!first.has(name)) first.set(name, match);
  }
  return [...first.values()];
}

/** A statement parameter with the text in a form in which identifiers are stored; null if it has not this form. */
interface Form {
  parameter: string;
  of: (typed: string) => string | null;
}
/** $1 is the organization. */
const forms: Form[] = [];

function form(of: Form["of"]): Form {
  const added = { parameter: `$${forms.length + 2}`, of };
  forms.push(added);
  return added;
}

const asTyped = form((typed) => typed);
const asUuid = form((typed) => (isUuid(typed) ? typed : null));
const asEmail = form((typed) => (typed.includes("@") ? emailKey(typed) : null));

const byUuid = [
  lookUp("import_runs", "referenceUuid", `id = ${asUuid.parameter}`, {
    title: "'Import run'",
    subtitle: utc("started_at"),
    kind: "runs",
  }),
  ...recordKinds.map((kind) => lookUp(kind, "uuid", `id = ${asUuid.parameter}`)),
  lookUp("leads", "uuid", `id = ${asUuid.parameter}`, { title: "email", subtitle: utc("created_at") }),
  lookUp("locations", "uuid", `id = ${asUuid.parameter}`, { title: "name", subtitle: "address" }),
];
const byReference = [
  ...recordKinds.flatMap((kind) => recordLookUps(storedTable(kind))),
  lookUp("leads", "email", `email_key = ${asEmail.parameter} order by created_at desc`, {
    title: "email",
    subtitle: utc("created_at"),
  }),
  lookUp(
    "locations",
    "tpReferenceId",
    `tp_reference_id = ${asTyped.parameter} and ${asTyped.parameter} <> ''`,
    {
      title: "name",
      subtitle: "address",
    },
  ),
  lookUp("locations", "name", `lower(name) = lower(${asTyped.parameter})`, {
    title: "name",
    subtitle: "address",
  }),
];
const statement = [...byUuid, ...byReference].join(" union all ");
/** A separate statement, because a cluster stores keys on another machine. $2 is the uuid. */
const keyStatement = lookUp("api_keys", "uuid", "id = $2", {
  title: "name",
  subtitle: "prefix",
  kind: "api-keys",
});

/** One lookup for each identifier of the entity. */
function recordLookUps({ entity, table, matches }: StoredEntity): string[] {
  const byMatch = matches.map(({ match, column }) => {
    const { parameter } = formOf(match);
    return lookUp(table, match.via === "reference" ? match.field : match.via, `${column} = ${parameter}`);
  });
  if (entity.otherReference === undefined) return byMatch;
  const column = columnName(entity.otherReference);
  return [lookUp(table, entity.otherReference, `${column} = ${asTyped.parameter}`), ...byMatch];
}

function formOf({ toKey, couldBe }: Match): Form {
  if (!toKey) return asTyped;
  if (toKey === emailKey) return asEmail;
  return form((typed) => (couldBe?.(typed) === false ? null : toKey(typed) || null));
}

function lookUp(
  table: string,
  matchedBy: string,
  condition: string,
  {
    title = "null",
    subtitle = "null",
    kind = table,
  }: { title?: string; subtitle?: string; kind?: string } = {},
): string {
  return `(select '${kind}' as kind, id, '${matchedBy}' as matched_by, ${title} as title, ${subtitle} as subtitle
    from ${table} where organization_id = $1 and ${condition} limit ${maxPerLookUp})`;
}

function utc(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')`;
}

/** A longer request has timed out long before. */
const longestRequestMs = 3_600_000;
/** A request id from the caller contains no time, so only the newest imports are searched for it. */
const maxLookedThrough = 20_000;
const maxRuns = 10;

export interface FoundRun {
  id: string;
  startedAt: Date;
}

/**
 * The imports of the request with this id. Ids that the service generates contain the time, so the primary key finds the imports of
 * that hour.
 */
export async function findRunsOfRequest(
  pool: pg.Pool,
  organizationId: string,
  requestId: string,
): Promise<FoundRun[]> {
  if (!isUuid(requestId)) return findBetween(pool, organizationId, requestId);
  const generated = requestId.toLowerCase();
  const requestedAt = momentOfId(generated);
  const end = new Date(requestedAt.getTime() + longestRequestMs);
  const found = await findBetween(pool, organizationId, generated, [firstIdAt(requestedAt), firstIdAt(end)]);
  return found.length > 0 ? found : findBetween(pool, organizationId, requestId);
}

async function findBetween(
  pool: pg.Pool,
  organizationId: string,
  requestId: string,
  [first, end]: [string, string] | [null, null] = [null, null],
): Promise<FoundRun[]> {
  const { rows } = await pool.query<{ id: string; started_at: Date }>(
    `select id, started_at from (
       select id, started_at, request_id from import_runs
       where organization_id = $1 and ($3::uuid is null or id >= $3) and ($4::uuid is null or id < $4)
       order by id desc limit ${maxLookedThrough}
     ) as run
     where request_id = $2 order by id desc limit ${maxRuns}`,
    [organizationId, requestId, first, end],
  );
  return rows.map((row) => ({ id: row.id, startedAt: row.started_at }));
}
