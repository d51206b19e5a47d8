import {
  emailKey,
  isPhone,
  isStorableText,
  isUuid,
  phoneDigits,
  plateKey,
} from "@gatehouse-parking/contract";
import type pg from "pg";
import type { MatchedBy, RecordKind, SearchAnswer, SearchHit } from "@gatehouse-parking/contract/console";
import { pageKinds } from "../records/page-kinds.js";
import { findOccurrences } from "../records/occurrences.js";
import { showRecordLife } from "../records/record-life.js";

/**
 * One box for everything. What was typed is looked up as every identifier it could be, each by an index and each with
 * a bound; what is found comes with its whole life.
 */
const maxHits = 25;
const maxPerLookUp = 10;

interface Match {
  kind: SearchHit["kind"];
  id: string;
  matched_by: MatchedBy;
  title: string | null;
  subtitle: string | null;
}

/** $1 organization, $2 the text itself, $3 as e-mail, $4 as phone, $5 as plate, $6 as uuid; null where it is none. */
const byReference = [
  lookUp("transactions", "transactionId", "transaction_id = $2"),
  lookUp("accounts", "tpReferenceId", "tp_reference_id = $2"),
  lookUp("subscriptions", "tpReferenceId", "tp_reference_id = $2"),
  lookUp("contacts", "tpReferenceId", "tp_reference_id = $2"),
  lookUp("contacts", "email", "email_key = $3"),
  lookUp("contacts", "phone", "phone_key = $4"),
  lookUp("vehicles", "plate", "plate_key = $5"),
  lookUp("leads", "email", "email_key = $3 order by created_at desc", "email", utc("created_at")),
  lookUp("locations", "tpReferenceId", "tp_reference_id = $2 and $2 <> ''", "name", "address"),
  lookUp("locations", "name", "lower(name) = lower($2)", "name", "address"),
];
const byUuid = [
  lookUp("import_runs", "referenceUuid", "id = $6", "'Import run'", utc("started_at"), "runs"),
  ...(["transactions", "accounts", "subscriptions", "contacts", "vehicles"] as const).map((kind) =>
    lookUp(kind, "uuid", "id = $6"),
  ),
  lookUp("leads", "uuid", "id = $6", "email", utc("created_at")),
  lookUp("locations", "uuid", "id = $6", "name", "address"),
];
const statement = [...byUuid, ...byReference].join(" union all ");
/** Keys are not kept where the records are, so they are asked for by themselves; $2 is the uuid. */
const keyStatement = lookUp("api_keys", "uuid", "id = $2", "name", "prefix", "api-keys");

function lookUp(
  table: string,
  matchedBy: MatchedBy,
  condition: string,
  title = "null",
  subtitle = "null",
  kind = table,
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
  for (const text of new Set([typed, typed.trim()])) {
    const answer = await searchExactly(pool, organizationId, text);
    if (answer.hits.length > 0 || answer.unstored.length > 0) return answer;
  }
  return { query: typed, hits: [], unstored: [], truncated: false };
}

async function searchExactly(pool: pg.Pool, organizationId: string, text: string): Promise<SearchAnswer> {
  if (text.trim() === "" || !isStorableText(text))
    return { query: text, hits: [], unstored: [], truncated: false };
  const matches = await findMatches(pool, organizationId, text);
  const hits: SearchHit[] = [];
  for (const match of matches.slice(0, maxHits)) hits.push(await toHit(pool, organizationId, match));
  return {
    query: text,
    hits,
    unstored: await findUnstored(pool, organizationId, text, hits),
    truncated: matches.length > maxHits,
  };
}

async function findMatches(pool: pg.Pool, organizationId: string, text: string): Promise<Match[]> {
  const { rows } = await pool.query<Match>(statement, [
    organizationId,
    text,
    text.includes("@") ? emailKey(text) : null,
    isPhone(text) ? phoneDigits(text) : null,
    plateKey(text) || null,
    isUuid(text) ? text : null,
  ]);
  const keys = isUuid(text) ? await pool.query<Match>(keyStatement, [organizationId, text]) : { rows: [] };
  // A contact may fit by e-mail and by reference; its first fit counts.
  const first = new Map<string, Match>();
  for (const match of [...rows, ...keys.rows]) {
    const name = `${match.kind} ${match.id}`;
    if (!first.has(name)) first.set(name, match);
  }
  return [...first.values()];
}

async function toHit(pool: pg.Pool, organizationId: string, match: Match): Promise<SearchHit> {
  const { kind, matched_by: matchedBy } = match;
  if (isRecordKind(kind))
    return { kind, matchedBy, record: await showRecordLife(pool, organizationId, kind, match.id) };
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
