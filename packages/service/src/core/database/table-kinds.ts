import { entities } from "@gatehouse-parking/contract";

/**
 * Where each table lives once the database has outgrown one machine (docs/explanation/scaling.md): in one place, for the command
 * that distributes it, for `gatehouse verify` and for the test that keeps the schema and the statements fit for it.
 */
export type TableKind =
  /** Spread over the workers by this column, all rows of one value together, beside those of the other tables. */
  | { distributedBy: string }
  /** A copy on every node; every write goes to all of them. */
  | "reference"
  /** On the first node alone, and unknown to Citus. */
  | "local";

const byOrganization: TableKind = { distributedBy: "organization_id" };

export const tableKinds: Record<string, TableKind> = {
  // What an import or a lead reads and writes. One transaction of it stays on one shard, and so commits at once.
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
  // A run's transaction moves the upload on whose rows it imports.
  uploads: byOrganization,
  upload_pieces: byOrganization,
  upload_batches: byOrganization,
  mappings: byOrganization,

  // What a request is admitted by, in one statement: a key is found by its hash, before its organization is known.
  organizations: "local",
  api_keys: "local",
  rate_limits: "local",
  // Written a few times a minute for all keys together, in the same statement as the keys themselves.
  api_key_usage: "local",
  request_log: "local",
  // Short-lived, and claimed by the database's clock, which an upsert on a distributed table may not ask.
  lead_attempts: "local",

  // Instances look for work here, in all organizations, and lease it by the database's clock.
  upload_queue: "local",

  // What operators see of all organizations at once, and who serves.
  organization_health: "local",
  organization_upkeep: "local",
  instances: "local",

  // People and what they did, some of it in no organization.
  users: "local",
  memberships: "local",
  sessions: "local",
  sign_in_links: "local",
  second_factors: "local",
  recovery_codes: "local",
  provider_identities: "local",
  console_submissions: "local",
  // Belongs to the whole installation, and is never read together with an organization's rows.
  receipt_keys: "local",
  saved_views: "local",
  person_erasures: "local",
  audit_log: "local",

  schema_migrations: "local",
  applied_migrations: "local",
};

/** The table that the others lie beside. */
export const anchorTable = "import_turns";

export function tablesOfKind(kind: "distributed" | "reference" | "local"): string[] {
  return Object.keys(tableKinds).filter((table) => kindName(tableKinds[table] as TableKind) === kind);
}

export function kindName(kind: TableKind): "distributed" | "reference" | "local" {
  return typeof kind === "string" ? kind : "distributed";
}
