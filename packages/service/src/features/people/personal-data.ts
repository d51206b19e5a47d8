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
import { idKey, type KeyColumn } from "../../core/stored-tables/section.js";
import type { Counter } from "./erasure-state.js";
import {
  columnNamesWithout,
  columnShapeWithout,
  countErasedOutcomes,
  differencesWithout,
  mappingWithout,
  outcomesWithout,
  outcomeWithout,
  findingsWithout,
  problemsWithout,
  problemWithout,
  sentValuesWithout,
  viewQueryWithout,
} from "./erase-values.js";
import { mentionsInText } from "./mentions.js";
import type { Person } from "./person.js";

/**
 * What erasing a person does with a column that holds text, JSON or bytes. A test compares this list with the database's
 * catalogue, so every new column needs a rule.
 */
export type ColumnRule =
  | ErasingRule
  /** Erased with the person's contact, account or lead. */
  | "match key"
  /** Enumerated values, machine addresses, hashes or encrypted values. Users cannot type text into it. */
  | "closed"
  /** Not erased, for this reason. */
  | { kept: string };

type ErasingRule =
  /** Set to null if it mentions the person. */
  | "text"
  /** The same for a column that must not be null: it becomes "(erased)". */
  | "name"
  /** Strings and numbers that mention the person are replaced. Everything else in the JSON keeps its spelling. */
  | "json"
  /** Returns the new text of a column whose structure must stay valid. */
  | ((person: Person, stored: string, row: TextRow) => string | null);

/** The columns of a row as text. */
export type TextRow = Readonly<Record<string, string | null>>;

interface TableRules {
  columns: Readonly<Record<string, ColumnRule>>;
  /** The primary key after the organization, if it is not `id`. */
  key?: readonly KeyColumn[];
  /** A row that mentions the person is deleted. */
  deletesRow?: true;
  /** An assignment that accompanies every change of a row. */
  alsoSet?: string;
  /** Locks each row that it reads, so that it waits for the import of an upload's current batch. */
  locksRows?: true;
  /** Values may be truncated or encoded such that SQL cannot find the person in them: all rows are read. */
  readsAll?: true;
  rowsPerPage?: number;
  counted?: Counted;
}

/** Counts changes of this column in the result of the erasure. Without `count`, each row counts as 1. */
interface Counted {
  as: Counter;
  column: string;
  count?: (before: string, after: string | null) => number;
}

const reference: ColumnRule = {
  kept: "the partner's own reference: replays are recognized by it, so without it a record could be stored twice",
};
const plate: ColumnRule = { kept: "vehicles are matched by it, and no person is looked up by it" };
const actor: ColumnRule = {
  kept: "a user of the console: the audit trail shows who did what. Remove users with `user remove`",
};
const account: ColumnRule = {
  kept: "a console account, and not a record of the organization. Remove users with `user remove`",
};
const settings: ColumnRule = {
  kept: "describes the organization or one of its locations, and not its customers. An admin edits it",
};

const runAndPosition: readonly KeyColumn[] = [
  { name: "run_id", type: "uuid" },
  { name: "position", type: "integer" },
];

/**
 * Tables in the order in which they are erased. Uploads, mappings and API keys come before import runs and the audit log, into
 * which their names are copied.
 */
export const personalData: Readonly<Record<string, TableRules>> = {
  uploads: {
    columns: {
      file_name: "name",
      reference: "text",
      mapping: mappingWithout,
      reading: "text",
      columns: columnNamesWithout,
      problems: problemsWithout,
      findings: findingsWithout,
      problem: problemWithout,
      state: "closed",
      pass: "closed",
      undone_records: "closed",
      undone_by: actor,
      created_by: actor,
    },
    // The worker holds these texts in memory and copies them into runs, so it has to claim and read the upload again.
    alsoSet: "holder = null",
    locksRows: true,
    readsAll: true,
  },
  upload_queue: { columns: { waits_for: "closed" } },
  upload_batches: {
    columns: { rows: outcomesWithout },
    key: [
      { name: "upload_id", type: "uuid" },
      { name: "pass_number", type: "integer" },
      { name: "first_row", type: "bigint" },
    ],
    // Each has as many rows as an import.
    rowsPerPage: 2,
    readsAll: true,
    counted: { as: "upload_rows_erased", column: "rows", count: countErasedOutcomes },
  },
  upload_corrections: {
    columns: { outcome: outcomeWithout, corrected_by: actor },
    key: [
      { name: "upload_id", type: "uuid" },
      { name: "pass_number", type: "integer" },
      { name: "row_number", type: "bigint" },
      { name: "attempt", type: "integer" },
    ],
    readsAll: true,
    counted: { as: "upload_rows_erased", column: "outcome" },
  },
  upload_pieces: {
    columns: {
      sha256: "closed",
      content: {
        kept: "a file that is not imported yet: it cannot be changed without losing the rows of others. Cancel or remove the upload",
      },
    },
  },
  mappings: {
    columns: {
      // The id keeps the name unique.
      name: (person, name, { id }) => (mentionsInText(person, name) ? `Mapping ${id}` : name),
      name_key: (person, key, { id, name }) => (mentionsInText(person, name ?? "") ? `mapping ${id}` : key),
      shape: (person, _, { columns }) => columnShapeWithout(person, columns ?? "[]"),
      columns: columnNamesWithout,
      mapping: mappingWithout,
      changed_by: actor,
    },
    // Each may be as large as a request.
    rowsPerPage: 10,
  },
  saved_views: {
    columns: { list: "closed", name: "name", query: viewQueryWithout },
    key: [
      { name: "user_id", type: "uuid" },
      { name: "id", type: "uuid" },
    ],
    deletesRow: true,
  },
  api_keys: {
    columns: {
      name: "name",
      prefix: "closed",
      hash: "closed",
      permissions: "closed",
      lead_origins: settings,
      lead_limit: "closed",
      last_used_address: "closed",
    },
  },
  lead_notes: {
    columns: { author: actor, note: "name" },
    key: [
      { name: "lead_id", type: "uuid" },
      { name: "id", type: "uuid" },
    ],
    deletesRow: true,
    counted: { as: "lead_notes_deleted", column: "note" },
  },
  lead_attempts: { columns: { idempotency_key: { kept: "it is deleted within minutes" } } },
  lead_work: { columns: { state: "closed", changed_by: actor } },
  leads: {
    columns: {
      ...columnsOfTable(storedLead),
      state: "closed",
      state_changed_by: actor,
      assignee_key: actor,
      captcha_type: "closed",
      captcha_result: "json",
      address: "closed",
      user_agent: "text",
      idempotency_key: {
        kept: "recognizes a lead that is sent twice. The person's own leads are deleted with theirs",
      },
      body_hash: "closed",
    },
  },
  ...Object.fromEntries(storedEntities.map((stored) => [stored.table, { columns: columnsOfEntity(stored) }])),
  import_exceptions: {
    columns: {
      reference,
      unusable_reference: "json",
      error_detail: "text",
      differences: differencesWithout,
    },
    key: runAndPosition,
    counted: { as: "differences_erased", column: "differences" },
  },
  import_sent_values: {
    columns: { sent: sentValuesWithout },
    key: runAndPosition,
    deletesRow: true,
    readsAll: true,
    counted: { as: "differences_erased", column: "sent" },
  },
  import_runs: {
    columns: {
      metadata: "json",
      failed_by_reason: "closed",
      deleted_records: "closed",
      request_id: "text",
      undone_by: actor,
      undone_version: "closed",
    },
  },
  request_log: { columns: { operation: "closed", reason: "closed", request_id: "name", answer: "json" } },
  organization_health: {
    columns: { failing_keys: "json", limits_near: "closed" },
    key: [{ name: "organization_id", type: "uuid" }],
  },
  audit_log: { columns: { actor, action: "closed", detail: "json", address: "closed" } },

  organizations: {
    columns: {
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
  },
  locations: { columns: settingsOf(storedLocation) },
  api_key_usage: { columns: { operation: "closed" } },
  undo_records: { columns: { kind: "closed", reference } },
  deleted_records: { columns: { kind: "closed", reference } },
  repeated_runs: { columns: { exceptions_hash: "closed" } },
  local_days: { columns: { totals: "closed" } },
  organization_upkeep: { columns: { passed: "closed", sizes: "closed", unreported_deletions: "closed" } },
  person_erasures: { columns: { person_hash: "closed" } },

  users: {
    columns: {
      email: account,
      email_key: account,
      password_hash: "closed",
      role: "closed",
      address_proven_by: "closed",
    },
  },
  memberships: {
    columns: {
      email: account,
      role: "closed",
      invitation_hash: "closed",
      invitation_maker_hash: "closed",
    },
  },
  sessions: { columns: { token_hash: "closed", address: "closed", user_agent: account } },
  sign_in_links: { columns: { token_hash: "closed" } },
  second_factors: { columns: { sealed_secret: "closed" } },
  recovery_codes: { columns: { code_hash: "closed" } },
  provider_identities: { columns: { issuer: account, subject: account } },
  rate_limits: { columns: { bucket: "closed" } },
  receipt_keys: { columns: { kid: "closed", public_key: "closed", sealed_private_key: "closed" } },
  instances: { columns: { version: "closed", address: "closed" } },
  schema_migrations: { columns: { name: "closed", checksum: "closed" } },
  applied_migrations: {
    columns: { name: "closed", checksum: "closed", minimum_release: "closed", applied_by: "closed" },
  },
};

/** Derived from the entity, so a new field is erased without a change here. */
function columnsOfTable({ entity, columns, matches }: StoredTable): Record<string, ColumnRule> {
  const matched = new Set(matches.flatMap(({ match, column }) => [match.field, column]));
  const matchRule =
    entity.key !== undefined ? reference : entity.personalFields === "all" ? "match key" : plate;
  const ruleOf = ({ field, kind }: Column): ColumnRule => {
    if (matched.has(field)) return matchRule;
    if (kind === "json") return "json";
    if (isEnumerated(entity, field)) return "closed";
    return entity.schema.required?.includes(field) ? "name" : "text";
  };
  return Object.fromEntries([
    ...textColumnsOf(columns).map((column) => [column.name, ruleOf(column)] as const),
    ...matches.filter(({ isDerived }) => isDerived).map(({ column }) => [column, matchRule] as const),
  ]);
}

function columnsOfEntity(stored: StoredEntity): Record<string, ColumnRule> {
  const { entity, links, hasFingerprint } = stored;
  return {
    ...columnsOfTable(stored),
    ...Object.fromEntries(links.flatMap(({ via }) => (via === undefined ? [] : [[via, "closed"] as const]))),
    ...(entity.localTimeOf === undefined ? {} : { time_zone: "closed" }),
    ...(hasFingerprint ? { fingerprint: "closed" } : {}),
  };
}

/** The fields of an organization and of its locations. */
function settingsOf({ entity, columns }: StoredTable): Record<string, ColumnRule> {
  return Object.fromEntries(
    textColumnsOf(columns).map(({ field, name }) => [
      name,
      isEnumerated(entity, field) ? "closed" : settings,
    ]),
  );
}

function textColumnsOf(columns: readonly Column[]): Column[] {
  return columns.filter(({ kind }) => kind === "text" || kind === "json");
}

/** An enumerated value. */
function isEnumerated({ schema }: EntityDescription, field: string): boolean {
  const definition = (schema.properties as Record<string, FieldSchema>)[field];
  return definition?.enum !== undefined || definition?.format === "time-zone";
}

/** A table that every erasure searches. */
export interface SearchedTable extends Omit<TableRules, "columns"> {
  table: string;
  key: readonly KeyColumn[];
  columns: readonly { name: string; rule: ErasingRule }[];
}

export const searchedTables: readonly SearchedTable[] = Object.entries(personalData)
  .map(([table, { columns, key = idKey, ...rules }]) => ({
    ...rules,
    table,
    key,
    columns: Object.entries(columns).flatMap(([name, rule]) =>
      typeof rule === "object" || rule === "match key" || rule === "closed" ? [] : [{ name, rule }],
    ),
  }))
  .filter(({ columns }) => columns.length > 0);
