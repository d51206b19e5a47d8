import {
  plainSettingNames,
  plainSettings,
  type EntityDescription,
  type FieldSchema,
} from "@gatehouse-parking/contract";
import { columnName, type Column } from "../../core/entities/columns.js";
import {
  storedEntities,
  storedLead,
  storedLocation,
  storedOrganization,
} from "../../core/entities/entities.js";
import type { StoredEntity, StoredTable } from "../../core/entities/stored-entity.js";

/**
 * What erasing a person does with a column that holds text, JSON or bytes. A test compares this list with the database's catalogue,
 * so a new column has to be decided about.
 */
export type TextColumn =
  /** Where it mentions the person it becomes null. */
  | "text"
  /** The same, in a column that must not be null: it becomes "(erased)". */
  | "name"
  /** Strings and numbers in it that mention the person are replaced; the rest keeps its spelling. */
  | "json"
  /** A step that knows its table erases it. */
  | "step"
  /** It holds words, numbers, addresses of machines, hashes or ciphers of the service, and nothing that anybody typed. */
  | "closed"
  /** It stays, for this reason. */
  | { kept: string };

const reference: TextColumn = {
  kept: "the partner's own reference: replays are recognized by it, so without it a record could be stored twice",
};
const plate: TextColumn = { kept: "vehicles are matched by it, and no person is looked up by it" };
const actor: TextColumn = {
  kept: "a user of the console, who has an account: the trail says who did what. Remove users with `user remove`",
};
const account: TextColumn = {
  kept: "an account of the console, and not a record of the organization. Remove users with `user remove`",
};
const settings: TextColumn = {
  kept: "describes the organization or one of its places, and not its customers. An admin edits it",
};

/** By table and column, those of tables with an organization first. */
export const textColumns: Readonly<Record<string, Readonly<Record<string, TextColumn>>>> = {
  ...Object.fromEntries(storedEntities.map((stored) => [stored.table, columnsOfEntity(stored)])),
  organizations: {
    ...settingsOf(storedOrganization),
    captcha_type: "closed",
    captcha_secret: "closed",
    captcha_hostnames: settings,
    ...Object.fromEntries(
      plainSettingNames
        .filter((name) => plainSettings[name].kind !== "switch")
        .map((name) => [columnName(name), settings]),
    ),
    own_limits: "closed",
    retention: "closed",
    acknowledged_retention: "closed",
    pending_retention: actor,
    quotas: "closed",
  },
  locations: settingsOf(storedLocation),
  api_keys: {
    name: "name",
    prefix: "closed",
    hash: "closed",
    permissions: "closed",
    lead_origins: settings,
    lead_limit: "closed",
    last_used_address: "closed",
  },
  api_key_usage: { operation: "closed" },
  request_log: { operation: "closed", reason: "closed", request_id: "name" },
  audit_log: { actor, action: "closed", detail: "json", address: "closed" },
  import_runs: {
    metadata: "json",
    failed_by_reason: "closed",
    deleted_records: "closed",
    request_id: "text",
    undone_by: actor,
    undone_version: "closed",
  },
  import_exceptions: {
    reference,
    unusable_reference: "json",
    error_detail: "text",
    differences: "step",
  },
  import_sent_values: { sent: "step" },
  undo_records: { kind: "closed", reference },
  deleted_records: { kind: "closed", reference },
  repeated_runs: { exceptions_hash: "closed" },
  local_days: { totals: "closed" },
  organization_health: { failing_keys: "json", limits_near: "closed" },
  organization_upkeep: { passed: "closed", sizes: "closed", unreported_deletions: "closed" },
  person_erasures: { person_hash: "closed" },
  leads: {
    ...columnsOfTable(storedLead),
    state: "closed",
    state_changed_by: actor,
    captcha_type: "closed",
    captcha_result: "json",
    address: "closed",
    user_agent: "text",
    idempotency_key: {
      kept: "recognizes a lead that is sent twice. The person's own leads are deleted with theirs",
    },
    body_hash: "closed",
  },
  lead_attempts: { idempotency_key: { kept: "it is deleted within minutes" } },
  lead_work: { state: "closed", changed_by: actor },
  lead_notes: { author: actor, note: "step" },
  uploads: {
    file_name: "step",
    mapping: "step",
    reading: "step",
    columns: "step",
    problems: "step",
    problem: "step",
    state: "closed",
    pass: "closed",
    undone_records: "closed",
    undone_by: actor,
    created_by: actor,
  },
  upload_pieces: {
    sha256: "closed",
    content: {
      kept: "a file that is not imported yet: it cannot be changed without losing the rows of others. Cancel or remove the upload",
    },
  },
  upload_batches: { rows: "step" },
  mappings: {
    name: "step",
    name_key: "step",
    shape: "step",
    columns: "step",
    mapping: "step",
    changed_by: actor,
  },
  saved_views: { list: "closed", name: "step", query: "step" },

  users: {
    email: account,
    email_key: account,
    password_hash: "closed",
    role: "closed",
    address_proven_by: "closed",
  },
  memberships: { email: account, role: "closed", invitation_hash: "closed", invitation_maker_hash: "closed" },
  sessions: { token_hash: "closed", address: "closed", user_agent: account },
  sign_in_links: { token_hash: "closed" },
  second_factors: { sealed_secret: "closed" },
  recovery_codes: { code_hash: "closed" },
  provider_identities: { issuer: account, subject: account },
  rate_limits: { bucket: "closed" },
  receipt_keys: { kid: "closed", public_key: "closed", sealed_private_key: "closed" },
  instances: { version: "closed", address: "closed" },
  schema_migrations: { name: "closed", checksum: "closed" },
  applied_migrations: {
    name: "closed",
    checksum: "closed",
    minimum_release: "closed",
    applied_by: "closed",
  },
};

/** A new field of an entity is erased without a change here. */
function columnsOfTable({ entity, columns, matches }: StoredTable): Record<string, TextColumn> {
  const matched = new Set(matches.flatMap(({ match, column }) => [match.field, column]));
  const whatIsMatched =
    entity.key !== undefined ? reference : entity.personalFields === "all" ? "step" : plate;
  const of = ({ field, kind }: Column): TextColumn => {
    if (matched.has(field)) return whatIsMatched;
    if (kind === "json") return "json";
    if (isClosed(entity, field)) return "closed";
    return entity.schema.required?.includes(field) ? "name" : "text";
  };
  return Object.fromEntries([
    ...textColumnsOf(columns).map((column) => [column.name, of(column)] as const),
    ...matches.filter(({ isDerived }) => isDerived).map(({ column }) => [column, whatIsMatched] as const),
  ]);
}

function columnsOfEntity(stored: StoredEntity): Record<string, TextColumn> {
  const { entity, links, hasFingerprint } = stored;
  return {
    ...columnsOfTable(stored),
    ...Object.fromEntries(links.flatMap(({ via }) => (via === undefined ? [] : [[via, "closed"] as const]))),
    ...(entity.localTimeOf === undefined ? {} : { time_zone: "closed" }),
    ...(hasFingerprint ? { fingerprint: "closed" } : {}),
  };
}

/** The fields of an organization and of its places. */
function settingsOf({ entity, columns }: StoredTable): Record<string, TextColumn> {
  return Object.fromEntries(
    textColumnsOf(columns).map(({ field, name }) => [name, isClosed(entity, field) ? "closed" : settings]),
  );
}

function textColumnsOf(columns: readonly Column[]): Column[] {
  return columns.filter(({ kind }) => kind === "text" || kind === "json");
}

/** It holds one of a few words. */
function isClosed({ schema }: EntityDescription, field: string): boolean {
  const definition = (schema.properties as Record<string, FieldSchema>)[field];
  return definition?.enum !== undefined || definition?.format === "time-zone";
}

/** Where the columns are that every erasure looks through, and the primary key of each table after the organization. */
export interface SearchedTable {
  table: string;
  key: readonly { name: string; type: "uuid" | "integer" }[];
  columns: readonly { name: string; kind: "text" | "name" | "json" }[];
}

const runAndPosition: SearchedTable["key"] = [
  { name: "run_id", type: "uuid" },
  { name: "position", type: "integer" },
];
const otherKeys: Readonly<Record<string, SearchedTable["key"]>> = {
  import_exceptions: runAndPosition,
  organization_health: [{ name: "organization_id", type: "uuid" }],
};

export const searchedTables: readonly SearchedTable[] = Object.entries(textColumns)
  .map(([table, columns]) => ({
    table,
    key: otherKeys[table] ?? [{ name: "id", type: "uuid" as const }],
    columns: Object.entries(columns).flatMap(([name, kind]) =>
      typeof kind === "object" || kind === "step" || kind === "closed" ? [] : [{ name, kind }],
    ),
  }))
  .filter(({ columns }) => columns.length > 0);
