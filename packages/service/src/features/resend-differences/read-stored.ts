import type { Entity } from "@gatehouse-parking/contract";
import type { PipelineQueue } from "../../core/database/pipeline-queue.js";
import { storedEntity } from "../../core/entities/entities.js";

export type StoredRow = Record<string, unknown> & { id: string };

/** The name that the statement below gives to a column of a linked entity. */
export function linkedColumn(relationName: string, column: string): string {
  return `${relationName}_${column}`;
}

/** Stored records with the identifiers that a partner could send for their relations. */
export async function readStored(
  queue: PipelineQueue,
  organizationId: string,
  entity: Entity,
  ids: ReadonlySet<string>,
): Promise<Map<string, StoredRow>> {
  if (ids.size === 0) return new Map();
  const stored = new Map<string, StoredRow>();
  await queue.send({
    name: `compare-${entity.plural}`,
    text: comparison(entity),
    values: [organizationId, JSON.stringify([...ids])],
    take: ({ rows }) => {
      for (const row of rows as StoredRow[]) stored.set(row.id, row);
    },
  });
  return stored;
}

/** Lateral, as all look-ups: with plain joins, the planner read all rows of the organization. */
function comparison(entity: Entity): string {
  const { links } = storedEntity(entity);
  const joins = links.map(({ relation, id }) => {
    const target = storedEntity(relation.to);
    const names = target.matches.map(({ column }) => `${column} as ${linkedColumn(relation.name, column)}`);
    return `
      left join lateral (
        select ${names.join(", ")} from ${target.table}
        where organization_id = $1 and id = record.${id}
        limit 1
      ) as ${relation.name} on true`;
  });
  const names = links.map(({ relation }) => `, ${relation.name}.*`);
  return `
      select record.*${names.join("")}
      from json_array_elements_text($2) as wanted (wanted_id)
      cross join lateral (
        select ${comparedColumns(entity).join(", ")}
        from ${entity.plural} where organization_id = $1 and id = wanted.wanted_id::uuid limit 1
      ) as record${joins.join("")}`;
}

/**
 * Names every column: with `select *`, the prepared statement would fail on an open connection once a newer release has
 * added a column.
 */
function comparedColumns(entity: Entity): string[] {
  const { columns, links } = storedEntity(entity);
  return [
    "id",
    ...(entity.locationField === undefined ? [] : ["location_id"]),
    ...columns.map((column) => column.name),
    ...links.map(({ id }) => id),
  ];
}
