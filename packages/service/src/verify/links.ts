import { batchCheck, exceptionKey } from "./batches.js";
import { statementCheck, type Check } from "./check.js";

/** Every link that no foreign key guards: from the column of a table to the row it names in the same organization. */
const links: [table: string, column: string, target: string][] = [
  ["accounts", "location_id", "locations"],
  ["accounts", "import_run_id", "import_runs"],
  ["contacts", "import_run_id", "import_runs"],
  ["vehicles", "import_run_id", "import_runs"],
  ["subscriptions", "account_id", "accounts"],
  ["subscriptions", "location_id", "locations"],
  ["subscriptions", "import_run_id", "import_runs"],
  ["transactions", "location_id", "locations"],
  ["transactions", "account_id", "accounts"],
  ["transactions", "contact_id", "contacts"],
  ["transactions", "vehicle_id", "vehicles"],
  ["transactions", "subscription_id", "subscriptions"],
  ["transactions", "import_run_id", "import_runs"],
  ["import_runs", "api_key_id", "api_keys"],
  ["leads", "location_id", "locations"],
  ["leads", "api_key_id", "api_keys"],
  ["leads", "duplicate_of", "leads"],
  ["api_keys", "replaced_by", "api_keys"],
];

/** Tables whose organization no foreign key guards either. */
const unguardedTables = [
  "accounts",
  "contacts",
  "vehicles",
  "subscriptions",
  "transactions",
  "import_exceptions",
  "leads",
];

export const linkChecks: Check[] = [
  ...unguardedTables.map((table) =>
    statementCheck(`links: the organization of ${table} exists`, organizationsOf(table)),
  ),
  ...links.map(([table, column, target]) =>
    batchCheck(
      `links: ${table}.${column} names one of ${target}`,
      { table, columns: [column] },
      missing(column, target),
    ),
  ),
  batchCheck(
    "links: import_exceptions.run_id names one of import_runs",
    { table: "import_exceptions", key: exceptionKey, columns: [] },
    missing("run_id", "import_runs"),
  ),
  batchCheck(
    "links: import_exceptions.record_id names the stored record of a Skipped one",
    { table: "import_exceptions", key: exceptionKey, columns: ["status", "record_id"] },
    `join import_runs as run on run.organization_id = batch.organization_id and run.id = batch.run_id
     where case
       when batch.status <> 3 then batch.record_id is not null
       when run.resource = 1 then not ${exists("transactions")}
       when run.resource = 2 then not ${exists("accounts")}
       else not ${exists("subscriptions")}
     end`,
  ),
];

/** A lateral look-up with a limit always goes by the primary key, whatever the planner believes about the table. */
function missing(column: string, target: string): string {
  return `left join lateral (
      select true as found from ${target} as target
      where target.organization_id = batch.organization_id and target.id = batch.${column} limit 1
    ) as target on true
    where batch.${column} is not null and target.found is null`;
}

function exists(table: string): string {
  return `exists (select from ${table} as record
    where record.organization_id = batch.organization_id and record.id = batch.record_id)`;
}

/** Hops from one organization to the next by the primary key, so it reads one row for each. */
function organizationsOf(table: string): string {
  return `
    with recursive found (organization_id) as (
      (select organization_id from ${table} where $1::uuid is null or organization_id = $1
       order by organization_id limit 1)
      union all
      select (select organization_id from ${table}
              where organization_id > found.organization_id and $1::uuid is null
              order by organization_id limit 1)
      from found where found.organization_id is not null
    ), missing as (
      select organization_id from found
      where organization_id is not null
        and not exists (select from organizations where organizations.id = found.organization_id)
    )
    select (select count(organization_id)::float8 from found) as read,
           (select count(*)::float8 from missing) as violations,
           array(select organization_id::text from missing limit 5) as examples`;
}
