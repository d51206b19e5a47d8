import type { Entity } from "@gatehouse-parking/contract";
import type { PipelineQueue } from "../../database/pipeline-queue.js";
import { storedEntity } from "../../entities/entities.js";

export type StoredRow = Record<string, unknown> & { id: string };

/** A column of what a stored record is linked to, as the statement below calls it. */
export function linkedColumn(relationName: string, column: string): string {
  return `${relationName}_${column}`;
}

/** Stored records with the names that a partner could give for what they are linked to. */
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

/** Lateral, as all look-ups: plain joins made the planner read all that the organization has. */
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
 * Every column by its name: the statement is prepared once a connection, and would fail there after a newer release has
 * added a column, if its result changed with it.
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
