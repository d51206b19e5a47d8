import { isStorableText, isUuid } from "@gatehouse-parking/contract";
import type pg from "pg";
import type { MatchedBy, RecordKind, SearchAnswer, SearchHit } from "@gatehouse-parking/contract/console";
import { pageKinds } from "../../core/records/page-kinds.js";
import { findOccurrences } from "../../core/records/occurrences.js";
import { showRecordLife } from "../../core/records/record-life.js";
import type { FindEveryRemoved } from "../../core/records/removed-records.js";
import { findMatches, type FoundMatch, findRunsOfRequest, type FoundRun } from "./find-matches.js";
import { findSpellings } from "./spellings.js";

const maxHits = 25;
const maxUnstored = 50;

export async function search(
  pool: pg.Pool,
  findRemoved: FindEveryRemoved,
  organizationId: string,
  typed: string,
): Promise<SearchAnswer> {
  // References are case- and space-sensitive, so the exact text comes before the trimmed one.
  let answer: SearchAnswer = {
    query: typed,
    hits: [],
    unstored: [],
    takenBack: [],
    deleted: [],
    truncated: false,
  };
  for (const text of new Set([typed, typed.trim()])) {
    const found = await searchExactly(pool, findRemoved, organizationId, text);
    if (isExact(found)) return found;
    if (found.hits.length > 0) answer = found;
  }
  return merge(answer.query, [
    answer,
    ...(await searchLoosely(pool, findRemoved, organizationId, typed.trim())),
  ]);
}

/** Whether something has exactly this identifier. Plates and phone numbers also match in other spellings. */
function isExact({ hits, unstored, takenBack, deleted }: SearchAnswer): boolean {
  return (
    unstored.length + takenBack.length + deleted.length > 0 ||
    hits.some(({ matchedBy }) => !normalizedMatches.has(matchedBy))
  );
}

const normalizedMatches = new Set<MatchedBy>(["email", "phone", "plate", "name"]);

/** Finds the imports of a request id, or references that differ in upper and lower case. */
async function searchLoosely(
  pool: pg.Pool,
  findRemoved: FindEveryRemoved,
  organizationId: string,
  text: string,
): Promise<SearchAnswer[]> {
  if (text === "" || !isStorableText(text)) return [];
  const runs = await findRunsOfRequest(pool, organizationId, text);
  if (runs.length > 0)
    return [
      { query: text, hits: runs.map(toRunHit), unstored: [], takenBack: [], deleted: [], truncated: false },
    ];

  const answers: SearchAnswer[] = [];
  for (const spelling of await findSpellings(pool, organizationId, text))
    answers.push(await searchExactly(pool, findRemoved, organizationId, spelling));
  return answers;
}

function merge(query: string, answers: readonly SearchAnswer[]): SearchAnswer {
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
  return { kind: "runs", matchedBy: "requestId", uuid: id, title: "Import", subtitle };
}

async function searchExactly(
  pool: pg.Pool,
  findRemoved: FindEveryRemoved,
  organizationId: string,
  text: string,
): Promise<SearchAnswer> {
  if (text.trim() === "" || !isStorableText(text))
    return { query: text, hits: [], unstored: [], takenBack: [], deleted: [], truncated: false };
  const matches = await findMatches(pool, organizationId, text);
  const hits: SearchHit[] = [];
  for (const match of matches.slice(0, maxHits))
    hits.push(await toHit(pool, findRemoved, organizationId, match));
  // A partner's reference may also be a uuid.
  const byUuid = isUuid(text) ? await findRemoved(pool, organizationId, { uuid: text }) : undefined;
  const byReference = await findRemoved(pool, organizationId, { reference: text });
  return {
    query: text,
    hits,
    unstored: await findUnstored(pool, organizationId, text, hits),
    takenBack: [...(byUuid?.takenBack ?? []), ...byReference.takenBack],
    deleted: [...(byUuid?.deleted ?? []), ...byReference.deleted],
    truncated: matches.length > maxHits,
  };
}

/** There may be many hits with 5 MB of metadata each. The page of the record shows all of it. */
const longestMetadata = 20_000;

async function toHit(
  pool: pg.Pool,
  findRemoved: FindEveryRemoved,
  organizationId: string,
  match: FoundMatch,
): Promise<SearchHit> {
  const { kind, matched_by: matchedBy } = match;
  if (isRecordKind(kind)) {
    const record = await showRecordLife(pool, organizationId, {
      kind,
      id: match.id,
      longestMetadata,
      findRemoved,
    });
    return { kind, matchedBy, record };
  }
  return { kind, matchedBy, uuid: match.id, title: match.title ?? "", subtitle: match.subtitle ?? "" };
}

function isRecordKind(kind: SearchHit["kind"]): kind is RecordKind {
  return kind in pageKinds;
}

/** Imports in which this reference failed, if no record of the resource with it is stored. */
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
