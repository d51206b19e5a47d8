import { emailKey, isStorableText, isUuid, type Match } from "@gatehouse-parking/contract";
import type pg from "pg";
import {
  recordKinds,
  type MatchedBy,
  type RecordKind,
  type SearchAnswer,
  type SearchHit,
} from "@gatehouse-parking/contract/console";
import { columnName } from "../entities/columns.js";
import { storedTable } from "../entities/entities.js";
import type { StoredEntity } from "../entities/stored-entity.js";
import { pageKinds } from "../records/page-kinds.js";
import { findOccurrences } from "../records/occurrences.js";
import { showRecordLife } from "../records/record-life.js";
import { findDeleted } from "../retention/find-deleted.js";
import { findTakenBack } from "../undo/find-taken-back.js";
import { findRunsOfRequest, type FoundRun } from "./find-request.js";
import { likelySpellings, storedSpellings, type ReferenceColumn } from "./spellings.js";

/**
 * One box for everything. What was typed is looked up as every identifier it could be, each by an index and each with
 * a bound; what is found comes with its whole life.
 */
const maxHits = 25;
const maxPerLookUp = 10;
/** How many spellings of a reference are tried that differ only in upper and lower case. */
const maxSpellings = 5;
const maxUnstored = 50;

interface Hit {
  kind: SearchHit["kind"];
  id: string;
  matched_by: MatchedBy;
  title: string | null;
  subtitle: string | null;
}

/** A text in one of the forms in which identifiers are kept, as a parameter of the statement; null: it is none of these. */
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
/** Keys are not kept where the records are, so they are asked for by themselves; $2 is the uuid. */
const keyStatement = lookUp("api_keys", "uuid", "id = $2", {
  title: "name",
  subtitle: "prefix",
  kind: "api-keys",
});

/** By everything that an entity is known by. */
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

/** A moment as the console shows it. */
function utc(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"')`;
}

export async function search(pool: pg.Pool, organizationId: string, typed: string): Promise<SearchAnswer> {
  // References are compared to the letter, so what was typed comes first and its trimmed form only after it.
  let answer: SearchAnswer = {
    query: typed,
    hits: [],
    unstored: [],
    takenBack: [],
    deleted: [],
    truncated: false,
  };
  for (const text of new Set([typed, typed.trim()])) {
    const found = await searchExactly(pool, organizationId, text);
    if (isNamed(found)) return found;
    if (found.hits.length > 0) answer = found;
  }
  return together(answer.query, [answer, ...(await searchLoosely(pool, organizationId, typed.trim()))]);
}

/** Whether something has this very name. A plate or a phone number is known by less than its every character. */
function isNamed({ hits, unstored, takenBack, deleted }: SearchAnswer): boolean {
  return (
    unstored.length + takenBack.length + deleted.length > 0 ||
    hits.some(({ matchedBy }) => !inAnyForm.has(matchedBy))
  );
}

const inAnyForm = new Set<MatchedBy>(["email", "phone", "plate", "name"]);

/** What has another name than was typed: the run of a request, or a reference in other upper and lower case. */
async function searchLoosely(pool: pg.Pool, organizationId: string, text: string): Promise<SearchAnswer[]> {
  if (text === "" || !isStorableText(text)) return [];
  const runs = await findRunsOfRequest(pool, organizationId, text);
  if (runs.length > 0)
    return [
      { query: text, hits: runs.map(toRunHit), unstored: [], takenBack: [], deleted: [], truncated: false },
    ];

  const answers: SearchAnswer[] = [];
  for (const spelling of await findSpellings(pool, organizationId, text))
    answers.push(await searchExactly(pool, organizationId, spelling));
  return answers;
}

function together(query: string, answers: readonly SearchAnswer[]): SearchAnswer {
  const hits = new Map<string, SearchHit>();
  for (const hit of answers.flatMap((answer) => answer.hits)) hits.set(uuidOf(hit), hit);
  return {
    query,
    hits: [...hits.values()].slice(0, maxHits),
    unstored: answers.flatMap(({ unstored }) => unstored).slice(0, maxUnstored),
    takenBack: answers.flatMap(({ takenBack }) => takenBack),
    deleted: answers.flatMap(({ deleted }) => deleted),
    truncated: hits.size > maxHits || answers.some(({ truncated }) => truncated),
  };
}

function uuidOf(hit: SearchHit): string {
  return "record" in hit ? hit.record.uuid : hit.uuid;
}

function toRunHit({ id, startedAt }: FoundRun): SearchHit {
  const subtitle = `${startedAt.toISOString().slice(0, 19).replace("T", " ")} UTC`;
  return { kind: "runs", matchedBy: "requestId", uuid: id, title: "Import run", subtitle };
}

/** Where references are kept to the letter. */
const referenceColumns: ReferenceColumn[] = [
  ...recordKinds.flatMap((kind) => {
    const { table, matches } = storedTable(kind);
    return matches.filter(({ match }) => match.via === "reference").map(({ column }) => ({ table, column }));
  }),
  { table: "import_exceptions", column: "reference" },
];

async function findSpellings(pool: pg.Pool, organizationId: string, text: string): Promise<string[]> {
  const found = new Set<string>();
  for (const column of referenceColumns)
    for (const spelling of await storedSpellings(pool, organizationId, column, text)) found.add(spelling);
  for (const spelling of await otherSpellings(pool, organizationId, text)) found.add(spelling);
  found.delete(text);
  return [...found].slice(0, maxSpellings);
}

/** A reference by which nothing is matched is not ordered by its bytes. */
async function otherSpellings(pool: pg.Pool, organizationId: string, text: string): Promise<string[]> {
  const { rows: places } = await pool.query<{ reference: string }>(
    `select distinct tp_reference_id as reference from locations
     where organization_id = $1 and lower(tp_reference_id) = lower($2) limit ${maxSpellings}`,
    [organizationId, text],
  );
  const found = places.map(({ reference }) => reference);
  for (const kind of recordKinds) {
    const { entity, table } = storedTable(kind);
    if (entity.otherReference === undefined) continue;
    const column = columnName(entity.otherReference);
    const { rows } = await pool.query<{ reference: string }>(
      `select distinct ${column} as reference from ${table}
       where organization_id = $1 and ${column} = any ($2::text[]) limit ${maxSpellings}`,
      [organizationId, likelySpellings(text)],
    );
    found.push(...rows.map(({ reference }) => reference));
  }
  return found;
}

async function searchExactly(pool: pg.Pool, organizationId: string, text: string): Promise<SearchAnswer> {
  if (text.trim() === "" || !isStorableText(text))
    return { query: text, hits: [], unstored: [], takenBack: [], deleted: [], truncated: false };
  const matches = await findMatches(pool, organizationId, text);
  const hits: SearchHit[] = [];
  for (const match of matches.slice(0, maxHits)) hits.push(await toHit(pool, organizationId, match));
  return {
    query: text,
    hits,
    unstored: await findUnstored(pool, organizationId, text, hits),
    takenBack: [
      ...(isUuid(text) ? await findTakenBack(pool, organizationId, { uuid: text }) : []),
      // A partner's references may be uuids, too.
      ...(await findTakenBack(pool, organizationId, { reference: text })),
    ],
    deleted: [
      ...(isUuid(text) ? await findDeleted(pool, organizationId, { uuid: text }) : []),
      ...(await findDeleted(pool, organizationId, { reference: text })),
    ],
    truncated: matches.length > maxHits,
  };
}

async function findMatches(pool: pg.Pool, organizationId: string, text: string): Promise<Hit[]> {
  const { rows } = await pool.query<Hit>(statement, [organizationId, ...forms.map(({ of }) => of(text))]);
  const keys = isUuid(text) ? await pool.query<Hit>(keyStatement, [organizationId, text]) : { rows: [] };
  // A contact may fit by e-mail and by reference; its first fit counts.
  const first = new Map<string, Hit>();
  for (const match of [...rows, ...keys.rows]) {
    const name = `${match.kind} ${match.id}`;
    if (!first.has(name)) first.set(name, match);
  }
  return [...first.values()];
}

/** How much metadata a hit shows: there may be many hits with 5 MB each. The record's own page shows all of it. */
const longestMetadata = 20_000;

async function toHit(pool: pg.Pool, organizationId: string, match: Hit): Promise<SearchHit> {
  const { kind, matched_by: matchedBy } = match;
  if (isRecordKind(kind)) {
    const record = await showRecordLife(pool, organizationId, { kind, id: match.id, longestMetadata });
    return { kind, matchedBy, record };
  }
  return { kind, matchedBy, uuid: match.id, title: match.title ?? "", subtitle: match.subtitle ?? "" };
}

function isRecordKind(kind: SearchHit["kind"]): kind is RecordKind {
  return kind in pageKinds;
}

/** Batches that sent this reference for a resource under which nothing is stored by it. */
async function findUnstored(
  pool: pg.Pool,
  organizationId: string,
  text: string,
  hits: readonly SearchHit[],
): Promise<SearchAnswer["unstored"]> {
  const stored = new Set(
    hits.map((hit) =>
      "record" in hit && hit.record.reference === text ? pageKinds[hit.kind].resource : undefined,
    ),
  );
  const occurrences = await findOccurrences(pool, { organizationId, reference: text, resource: undefined });
  return occurrences.filter(({ resource }) => !stored.has(resource));
}
