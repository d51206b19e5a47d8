import { entities } from "@gatehouse-parking/contract";

/**
 * Where each table is stored in a cluster (docs/explanation/scaling.md). Used by the command that distributes the
 * tables, by `gatehouse verify` and by the test that checks schema and statements.
 */
export type TableKind =
  /** Distributed across the workers by this column. Rows with the same value are stored together, across tables. */
  | { distributedBy: string }
  /** A copy on every node; every write goes to all of them. */
  | "reference"
  /** On the coordinator only, unknown to Citus. */
  | "local";

const byOrganization: TableKind = { distributedBy: "organization_id" };

export const tableKinds: Record<string, TableKind> = {
  // Read and written by imports and leads. Each of their transactions stays on one shard, so it commits in one phase.
  import_turns: byOrganization,
  locations: byOrganization,
  ...Object.fromEntries(entities.map(({ plural }) => [plural, byOrganization])),
  import_runs: byOrganization,
  import_exceptions: byOrganization,
  undo_records: byOrganization,
  deleted_records: byOrganization,
  repeated_runs: byOrganization,
  import_sent_values: byOrganization,
  clock_signs: byOrganization,
  local_days: byOrganization,
  leads: byOrganization,
  lead_work: byOrganization,
  lead_notes: byOrganization,
  // An import's transaction updates the upload whose rows it imports.
  uploads: byOrganization,
  upload_pieces: byOrganization,
  upload_batches: byOrganization,
  upload_corrections: byOrganization,
  mappings: byOrganization,

  // Read for admission in one statement: a key is found by its hash, before its organization is known.
  organizations: "local",
  api_keys: "local",
  rate_limits: "local",
  // Written a few times per minute for all keys together, in the same statement as the keys themselves.
  api_key_usage: "local",
  request_log: "local",
  // Short-lived, and claimed with the database's clock, which an upsert on a distributed table must not use.
  lead_attempts: "local",

  // Instances search these for work of all organizations, and lease it by the database's clock.
  upload_queue: "local",

  // Operators' views of all organizations, and the instances.
  organization_health: "local",
  organization_upkeep: "local",
  instances: "local",

  // Users and the audit log, partly without an organization.
  users: "local",
  memberships: "local",
  sessions: "local",
  sign_in_links: "local",
  second_factors: "local",
  recovery_codes: "local",
  provider_identities: "local",
  console_submissions: "local",
  // Belongs to the installation, and is never read together with an organization's rows.
  receipt_keys: "local",
  saved_views: "local",
  person_erasures: "local",
  audit_log: "local",

  schema_migrations: "local",
  applied_migrations: "local",
};

/** The table that the others are co-located with. */
export const anchorTable = "import_turns";

export function tablesOfKind(kind: "distributed" | "reference" | "local"): string[] {
  return Object.keys(tableKinds).filter((table) => kindName(tableKinds[table] as TableKind) === kind);
}

export function kindName(kind: TableKind): "distributed" | "reference" | "local" {
  return typeof kind === "string" ? kind : "distributed";
}
