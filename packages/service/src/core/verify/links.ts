import { importResourceNames, importResources, type ImportResourceName } from "@gatehouse-parking/contract";
import { storedEntities } from "../entities/entities.js";
import type { StoredEntity } from "../entities/stored-entity.js";
import { runAndPosition, type KeyColumn } from "../stored-tables/section.js";
import { batchCheck } from "./batches.js";
import { maxExamples, type Check } from "./check.js";

/** Links without a foreign key, from a column to a row of the same organization. */
const links: [table: string, column: string, target: string][] = [
  ...storedEntities.flatMap(linksOf),
  ["leads", "location_id", "locations"],
  ["leads", "duplicate_of", "leads"],
  ["api_keys", "replaced_by", "api_keys"],
];

function linksOf({ table, entity, links: own }: StoredEntity): typeof links {
  return [
    ...(entity.locationField === undefined
      ? []
      : ([[table, "location_id", "locations"]] satisfies typeof links)),
    ...own.map(({ id, relation }): (typeof links)[number] => [table, id, relation.to.plural]),
    [table, "import_run_id", "import_runs"],
  ];
}

export const linkChecks: Check[] = [
  ...links.map(([table, column, target]) =>
    batchCheck(
      `links: ${table}.${column} refers to a row of ${target}`,
      { table, columns: [column] },
      missing(column, target),
    ),
  ),
  keyLinkCheck("import_runs"),
  runLinkCheck("repeated_runs", [{ name: "run_id", type: "uuid" }]),
  batchCheck(
    "links: repeated_runs.same_as refers to a row of import_runs",
    { table: "repeated_runs", key: [{ name: "run_id", type: "uuid" }], columns: ["same_as"] },
    missing("same_as", "import_runs"),
  ),
  keyLinkCheck("leads"),
  runLinkCheck("import_exceptions", runAndPosition),
  batchCheck(
    "links: lead_work.lead_id refers to a row of leads",
    { table: "lead_work", key: [{ name: "lead_id", type: "uuid" }], columns: [] },
    missing("lead_id", "leads"),
  ),
  batchCheck(
    "links: lead_notes.lead_id refers to a row of leads",
    {
      table: "lead_notes",
      key: [
        { name: "lead_id", type: "uuid" },
        { name: "id", type: "uuid" },
      ],
      columns: [],
    },
    missing("lead_id", "leads"),
  ),
  batchCheck(
    "links: import_exceptions.record_id names a stored record if Skipped, or one that was removed",
    { table: "import_exceptions", key: runAndPosition, columns: ["status", "record_id"] },
    `join import_runs as run on run.organization_id = $1 and run.id = batch.run_id
     where case
       when batch.status <> 3 then batch.record_id is not null
       ${importResourceNames.map(isAbsent).join(" ")}
       else true
     end`,
  ),
];

export function runLinkCheck(table: string, key: readonly KeyColumn[]): Check {
  return batchCheck(
    `links: ${table}.run_id refers to a row of import_runs`,
    { table, key, columns: [] },
    missing("run_id", "import_runs"),
  );
}

/** A lateral look-up with a limit always uses the primary key, whatever the table statistics are. */
function missing(column: string, target: string): string {
  return `left join lateral (
      select true as found from ${target} as target
      where target.organization_id = $1 and target.id = batch.${column} limit 1
    ) as target on true
    where batch.${column} is not null and target.found is null`;
}

/** Whether a Skipped record refers to a missing record of this resource. */
function isAbsent(name: ImportResourceName): string {
  return `when run.resource = ${importResources[name].resource} then not exists (
    select from ${name} as record where record.organization_id = $1 and record.id = batch.record_id
    union all
    select from undo_records as record
    where record.organization_id = $1 and record.record_id = batch.record_id and record.is_removed
      and record.kind = '${name}'
    union all
    select from import_turns as turn
    where turn.organization_id = $1 and batch.record_id < turn.deleted_before)`;
}

/** Keys and records may be on different machines, so two statements read them. */
function keyLinkCheck(table: "import_runs" | "leads"): Check {
  return {
    name: `links: ${table}.api_key_id refers to a row of api_keys`,
    of: { table, column: "api_key_id" },
    async run(client, organizationId) {
      const { rows: used } = await client.query<{ api_key_id: string; rows: number }>(
        `select api_key_id, count(*)::float8 as rows from ${table}
         where organization_id = $1 and api_key_id is not null group by api_key_id`,
        [organizationId],
      );
      const { rows: keys } = await client.query<{ id: string }>(
        "select id from api_keys where organization_id = $1 and id = any ($2::uuid[])",
        [organizationId, used.map((row) => row.api_key_id)],
      );
      const known = new Set(keys.map(({ id }) => id));
      const missing = used.filter((row) => !known.has(row.api_key_id));
      const { rows: examples } = await client.query<{ id: string }>(
        `select id from ${table} where organization_id = $1 and api_key_id = any ($2::uuid[]) order by id limit $3`,
        [organizationId, missing.map((row) => row.api_key_id), maxExamples],
      );
      return { read: sum(used), violations: sum(missing), examples: examples.map(({ id }) => id) };
    },
  };
}

function sum(counted: { rows: number }[]): number {
  return counted.reduce((total, { rows }) => total + rows, 0);
}
