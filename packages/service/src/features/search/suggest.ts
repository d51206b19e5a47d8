import { isStorableText } from "@gatehouse-parking/contract";
import { minSuggestedLength, recordKinds, type Suggestion } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { lastCharacter, sqlParameters, type SqlParameters } from "../../core/database/sql.js";
import { columnName } from "../../core/entities/columns.js";
import { storedTable } from "../../core/entities/entities.js";
import { shownPrefix } from "../../core/gate/api-key-format.js";
import { pageKinds } from "../../core/records/page-kinds.js";
import { spellBeginning } from "./spellings.js";

const maxSuggestions = 10;
const maxPerLookUp = 4;

interface SuggestedRow {
  kind: Suggestion["kind"];
  id: string;
  title: string | null;
  subtitle: string | null;
}

/** What begins with the text, in most spellings of upper and lower case, by the indexes that matching uses. */
export async function suggest(pool: pg.Pool, organizationId: string, typed: string): Promise<Suggestion[]> {
  const text = typed.trim();
  if ([...text].length < minSuggestedLength || !isStorableText(text)) return [];
  const parameters = sqlParameters(organizationId);
  const lookUps = [
    ...recordKinds.flatMap((kind) => byReferences(kind, text, parameters)),
    leadsByEmail(text, parameters),
    locationsByName(text, parameters),
    ...byUuid(text, parameters),
  ];
  const { rows } = await pool.query<SuggestedRow>(lookUps.join(" union all "), parameters.values);
  // On a cluster, keys are on another machine.
  const keys = await pool.query<SuggestedRow>(findKeys, [organizationId, text, shownPrefix(text)]);
  const first = new Map<string, SuggestedRow>();
  for (const row of [...rows, ...keys.rows]) if (!first.has(row.id)) first.set(row.id, row);
  return [...first.values()].slice(0, maxSuggestions).map(({ kind, id, title, subtitle }) => ({
    kind,
    uuid: id,
    title: title ?? "",
    subtitle: subtitle ?? "",
  }));
}

interface Shown {
  title: string;
  subtitle: string;
}

function byReferences(kind: keyof typeof pageKinds, text: string, parameters: SqlParameters): string[] {
  const { entity, table, matches } = storedTable(kind);
  const shown = { title: pageKinds[kind].reference, subtitle: pageKinds[kind].title };
  const byMatch = matches.map(({ match, column }) =>
    startingWith(table, column, match.toKey ? [match.toKey(text)] : spellBeginning(text), shown, parameters),
  );
  if (entity.otherReference === undefined) return byMatch;
  // Its index is not in byte order, so only the whole reference is found.
  const condition = `record.${columnName(entity.otherReference)} = ${parameters.add(text)}`;
  return [...byMatch, lookUp(table, condition, "record.id desc", shown)];
}

function leadsByEmail(text: string, parameters: SqlParameters): string {
  return startingWith("leads", "email_key", [text.toLowerCase()], pageOf.leads, parameters);
}

const day = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')`;

const pageOf = {
  leads: { title: "record.email", subtitle: day("record.created_at") },
  locations: { title: "record.name", subtitle: "record.address" },
} satisfies Record<string, Shown>;

/** An organization has few locations, so they need no index for this. */
function locationsByName(text: string, parameters: SqlParameters): string {
  const part = parameters.add(text.toLowerCase());
  const condition = `(position(${part} in lower(record.name)) > 0 or starts_with(lower(record.tp_reference_id), ${part}))`;
  return lookUp("locations", condition, "record.name", pageOf.locations);
}

const hexDigits = 32;
const minHexDigits = 4;

function byUuid(text: string, parameters: SqlParameters): string[] {
  const digits = text.replaceAll("-", "").toLowerCase();
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < minHexDigits || digits.length > hexDigits) return [];
  const first = `${parameters.add(digits.padEnd(hexDigits, "0"))}::uuid`;
  const last = `${parameters.add(digits.padEnd(hexDigits, "f"))}::uuid`;
  const lookUpIn = (table: string, shown: Shown, kind?: string) =>
    lookUp(table, `record.id between ${first} and ${last}`, "record.id desc", shown, kind);
  return [
    lookUpIn("import_runs", { title: "record.id::text", subtitle: day("record.started_at") }, "runs"),
    ...recordKinds.map((kind) =>
      lookUpIn(
        storedTable(kind).table,
        { title: pageKinds[kind].reference, subtitle: pageKinds[kind].title },
        kind,
      ),
    ),
    lookUpIn("leads", pageOf.leads),
    lookUpIn("locations", pageOf.locations),
  ];
}

const findKeys = `
  select 'api-keys' as kind, id, name as title, prefix || '…' as subtitle from api_keys
  where organization_id = $1 and (position(lower($2) in lower(name)) > 0 or starts_with(prefix, $3))
  order by id desc limit ${maxPerLookUp}`;

/** One range of the index for each beginning. Each range is short, so that a common beginning costs little. */
function startingWith(
  table: string,
  column: string,
  beginnings: readonly string[],
  shown: Shown,
  parameters: SqlParameters,
): string {
  const typed = parameters.add(beginnings.filter((beginning) => beginning !== ""));
  const condition = `record.${column} >= beginning collate "C" and record.${column} < beginning || ${lastCharacter} collate "C"`;
  return `(select found.* from unnest(${typed}::text[]) as beginning
    cross join lateral ${lookUp(table, condition, `record.${column}`, shown)} as found limit ${maxPerLookUp})`;
}

function lookUp(table: string, condition: string, order: string, shown: Shown, kind = table): string {
  return `(select '${kind}' as kind, record.id, ${shown.title} as title, ${shown.subtitle} as subtitle
    from ${table} as record where record.organization_id = $1 and ${condition}
    order by ${order} limit ${maxPerLookUp})`;
}
