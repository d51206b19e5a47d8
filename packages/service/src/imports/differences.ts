import {
  canonicalDecimal,
  emailKey,
  isObject,
  maxMetadataDepth,
  parseTimestamp,
  phoneDigits,
  plateKey,
  type ImportResourceName,
} from "@gatehouse-parking/contract";
import type { FastifyBaseLogger } from "fastify";
import type pg from "pg";
import { isCandidate, type Candidate, type Submitted } from "./candidate.js";
import { recordColumns, type Column } from "./columns.js";
import type { Outcome } from "./decide.js";
import { YieldBudget } from "../scheduling/yield-budget.js";
import { scanValue } from "@gatehouse-parking/json-text";
import { relations } from "./relations.js";
import type { ResourceDefinition } from "./resources.js";

/**
 * A record that is skipped although its content differs from what is stored is what partners ask about most: "I sent
 * the correction, why is it not there?" Fingerprints tell cheaply that something differs; only then is the stored
 * record read and compared field by field. The public answer says nothing of it; the console shows it.
 */
export interface Difference {
  field: string;
  stored: string | null;
  sent: string | null;
}
export type DifferencesByPosition = Map<number, Difference[]>;

/** Longer values are cut, so that the differences of a run stay small whatever was sent. */
const maxShownLength = 1_000;

type StoredRow = Record<string, unknown> & { id: string };

export async function findDifferences(
  client: pg.ClientBase,
  organizationId: string,
  resource: ResourceDefinition,
  submitted: readonly Submitted[],
  outcomes: readonly Outcome[],
  log: FastifyBaseLogger,
): Promise<DifferencesByPosition> {
  const changed = submitted.flatMap((candidate, index) => {
    if (!isCandidate(candidate)) return [];
    const outcome = outcomes[index] as Outcome;
    if (outcome.status !== 3 || outcome.stored.fingerprint === candidate.fingerprint) return [];
    return [{ candidate, stored: outcome.stored }];
  });
  const differences: DifferencesByPosition = new Map();
  if (changed.length === 0) return differences;

  const storedIds = [
    ...new Set(changed.filter(({ stored }) => stored.madeBy === undefined).map(({ stored }) => stored.id)),
  ];
  const rows = await readStored(client, organizationId, resource, storedIds);
  const budget = new YieldBudget();
  for (const { candidate, stored } of changed) {
    // Only the console shows them, so nothing about them may ever fail an import.
    try {
      const before =
        stored.madeBy === undefined
          ? fromRow(resource, rows.get(stored.id))
          : fromSent(resource, submitted[stored.madeBy]);
      const after = fromSent(resource, candidate);
      const found = before && after ? compare(before, after) : [];
      if (found.length > 0) differences.set(candidate.position, found);
    } catch (error) {
      log.error({ err: error, position: candidate.position }, "the differences of a record were not found");
    }
    if (budget.isSpent) await budget.giveWay();
  }
  return differences;
}

/** What a stored record is linked to, by the names that a partner could give for it. */
const links = {
  account: { table: "accounts", names: "tp_reference_id as account_reference" },
  contact: { table: "contacts", names: "email_key, phone_key" },
  vehicle: { table: "vehicles", names: "plate_key" },
  subscription: { table: "subscriptions", names: "tp_reference_id as subscription_reference" },
};
const linksOf: Record<ImportResourceName, (keyof typeof links)[]> = {
  transactions: ["account", "contact", "vehicle", "subscription"],
  accounts: [],
  subscriptions: ["account"],
};

/**
 * Every column by its name: the statement is prepared once a connection, and would fail there after a newer release has
 * added a column, if its result changed with it.
 */
function comparedColumns(name: ImportResourceName): string[] {
  return [
    "id",
    "location_id",
    ...recordColumns[name].map((column) => column.name),
    ...linksOf[name].map((link) => `${link}_id`),
    ...(name === "transactions" ? ["subscription_via"] : []),
  ];
}

/** Lateral, as all look-ups: plain joins made the planner read all that the organization has. */
function comparison(name: ImportResourceName): string {
  const joins = linksOf[name].map(
    (link) => `
      left join lateral (
        select ${links[link].names} from ${links[link].table}
        where organization_id = $1 and id = record.${link}_id
        limit 1
      ) as ${link} on true`,
  );
  const names = linksOf[name].map((link) => `, ${link}.*`);
  return `
      select record.*${names.join("")}
      from json_array_elements_text($2) as wanted (wanted_id)
      cross join lateral (
        select ${comparedColumns(name).join(", ")} from ${name} where organization_id = $1 and id = wanted.wanted_id::uuid limit 1
      ) as record${joins.join("")}`;
}

async function readStored(
  client: pg.ClientBase,
  organizationId: string,
  resource: ResourceDefinition,
  ids: string[],
): Promise<Map<string, StoredRow>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<StoredRow>({
    name: `compare-${resource.name}`,
    text: comparison(resource.name),
    values: [organizationId, JSON.stringify(ids)],
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** A value as it is shown, and in the form that it shares with all other spellings of the same value. */
interface Value {
  shown: string | null;
  compared: string | null;
}

/** A record field by field; a relation is the set of names it can be known by. */
interface Comparable {
  fields: Map<string, Value>;
  relations: Map<string, Set<string>>;
}

function compare(before: Comparable, after: Comparable): Difference[] {
  const found: Difference[] = [];
  for (const [field, sent] of after.fields) {
    const stored = before.fields.get(field) ?? nothing;
    if (stored.compared !== sent.compared)
      found.push({ field, stored: shorten(stored.shown), sent: shorten(sent.shown) });
  }
  for (const [field, sent] of after.relations) {
    const stored = before.relations.get(field) ?? new Set();
    const same = sent.size === 0 ? stored.size === 0 : [...sent].some((name) => stored.has(name));
    if (!same)
      found.push({ field, stored: shorten([...stored][0] ?? null), sent: shorten([...sent][0] ?? null) });
  }
  return found;
}

function shorten(text: string | null): string | null {
  return text !== null && text.length > maxShownLength ? `${text.slice(0, maxShownLength)}...` : text;
}

function fromSent(resource: ResourceDefinition, candidate: Submitted | undefined): Comparable | undefined {
  if (!candidate || !isCandidate(candidate)) return undefined;
  const { record } = candidate;
  const fields = new Map<string, Value>();
  for (const column of recordColumns[resource.name]) fields.set(column.field, sentValue(column, candidate));
  const names = new Map<string, Set<string>>([["location", namesOf(uuidName(record["locationUuid"]))]]);
  if (resource.name !== "accounts") names.set("account", sentNames(record, "account", ["tpReferenceId"]));
  if (resource.name === "transactions") {
    names.set("contact", sentNames(record, "contact", ["email", "phoneNumber"]));
    names.set("vehicle", sentNames(record, "vehicle", ["licensePlate"]));
    names.set("subscription", sentNames(record, "subscription", ["tpReferenceId"]));
  }
  return { fields, relations: names };
}

function sentNames(
  record: Record<string, unknown>,
  name: keyof typeof relations,
  nestedKeys: readonly string[],
): Set<string> {
  const relation = relations[name];
  const byUuid = namesOf(uuidName(record[relation.uuidField]));
  if (byUuid.size > 0) return byUuid;
  const reference = "referenceField" in relation ? record[relation.referenceField] : undefined;
  const nested = record[relation.nestedField];
  return namesOf(reference, ...(isObject(nested) ? nestedKeys.map((key) => matchKey(key, nested[key])) : []));
}

const matchKeys: Record<string, (text: string) => string> = {
  email: emailKey,
  phoneNumber: phoneDigits,
  licensePlate: plateKey,
};

function matchKey(field: string, value: unknown): unknown {
  return typeof value === "string" ? (matchKeys[field]?.(value) ?? value) : undefined;
}

/** The first name is the one that is shown. */
function namesOf(...values: unknown[]): Set<string> {
  return new Set(values.filter((value): value is string => typeof value === "string"));
}

/** The case of a uuid's letters means nothing; that of a reference does. */
function uuidName(value: unknown): unknown {
  return typeof value === "string" ? value.toLowerCase() : undefined;
}

function fromRow(resource: ResourceDefinition, row: StoredRow | undefined): Comparable | undefined {
  if (!row) return undefined;
  const fields = new Map<string, Value>();
  for (const column of recordColumns[resource.name])
    fields.set(column.field, storedValue(column, row[column.name]));
  const dropped = row["subscription_via"] === "dropped";
  return {
    fields,
    relations: new Map([
      ["location", namesOf(row["location_id"])],
      ["account", namesOf(row["account_reference"], row["account_id"])],
      ["contact", namesOf(row["email_key"], row["phone_key"], row["contact_id"])],
      ["vehicle", namesOf(row["plate_key"], row["vehicle_id"])],
      ...(dropped
        ? []
        : [["subscription", namesOf(row["subscription_reference"], row["subscription_id"])] as const]),
    ]),
  };
}

const nothing: Value = { shown: null, compared: null };
const plain = (text: string): Value => ({ shown: text, compared: text });
const number = (text: string): Value => ({ shown: text, compared: canonicalDecimal(text) });
const json = (text: string): Value => ({ shown: text, compared: canonicalJson(text) });

function sentValue(column: Column, { record, source }: Candidate): Value {
  const given = record[column.field] ?? column.default ?? null;
  if (given === null) return nothing;
  if (column.kind === "amount" && typeof given === "number")
    return number(source.numberSpelling(column.path) ?? String(given));
  if (column.kind === "json" && isObject(given)) return json(source.textAt(column.path) as string);
  if (typeof given !== "string") return plain(JSON.stringify(given));
  const moment = column.kind === "timestamp" ? parseTimestamp(given, true) : undefined;
  return plain(moment === undefined ? given : new Date(moment).toISOString());
}

function storedValue(column: Column, value: unknown): Value {
  if (value === null || value === undefined) return nothing;
  if (column.kind === "timestamp") return plain((value as Date).toISOString());
  if (column.kind === "amount") return number(value as string);
  if (column.kind === "json") return json(value as string);
  return plain(String(value));
}

/** JSON that is longer or deeper is compared as it is spelled: to take it apart would hold up the others, or overflow. */
const maxComparedLength = 16_384;
/** A string that never ends would reach to the end of the text, so that no quote is looked at twice. */
const stringOrNumber = /"(?:[^"\\]|\\.)*(?:"|\\?$)|-?\d[\d.eE+-]*/gs;

/** Order of keys, spacing and escapes make no difference, but every digit of a number does. */
function canonicalJson(text: string): string {
  if (text.length > maxComparedLength || scanValue(text, 0).depth > maxMetadataDepth) return text;
  const exact = text.replaceAll(stringOrNumber, (token) =>
    token.startsWith('"') ? `"s${token.slice(1)}` : `"n${canonicalDecimal(token)}"`,
  );
  return JSON.stringify(JSON.parse(exact), (_key, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
