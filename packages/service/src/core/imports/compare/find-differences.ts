import { RecordStatus, type Entity } from "@gatehouse-parking/contract";
import type { PipelineQueue } from "../../database/pipeline-queue.js";
import { TimeSlice } from "../../scheduling/time-slice.js";
import type { Outcome } from "../judge/decision.js";
import { isCandidate, type Submitted } from "../read/read-records.js";
import type { Run } from "../run.js";
import { compare, fromRow, fromSent, type Difference } from "./compare.js";
import { storedEntity } from "../../entities/entities.js";

export type DifferencesByPosition = Map<number, Difference[]>;

/**
 * A record that is skipped although its content differs from what is stored is what partners ask about most: "I sent
 * the correction, why is it not there?" Fingerprints tell cheaply that something differs; only then is the stored
 * record read and compared field by field. The public answer says nothing of it; the console shows it.
 */
export async function findDifferences(
  queue: PipelineQueue,
  run: Run,
  records: readonly Submitted[],
  outcomes: readonly Outcome[],
): Promise<DifferencesByPosition> {
  const changed = records.flatMap((candidate, index) => {
    if (!isCandidate(candidate)) return [];
    const outcome = outcomes[index] as Outcome;
    if (outcome.status !== RecordStatus.Skipped || outcome.stored.fingerprint === candidate.fingerprint)
      return [];
    // Nothing is left of a deleted record to compare with.
    if (outcome.stored.isDeleted) return [];
    return [{ candidate, stored: outcome.stored }];
  });
  const differences: DifferencesByPosition = new Map();
  if (changed.length === 0) return differences;

  const { entity } = run.resource;
  const storedBefore = changed.filter(({ stored }) => stored.madeBy === undefined);
  const ids = new Set(storedBefore.map(({ stored }) => stored.id));
  const rows = await readStored(queue, run.identity.organizationId, entity, ids);
  const budget = new TimeSlice();
  for (const { candidate, stored } of changed) {
    // Only the console shows them, so nothing about them may ever fail an import.
    try {
      const before =
        stored.madeBy === undefined
          ? fromRow(entity, rows.get(stored.id))
          : fromSent(entity, records[stored.madeBy]);
      const after = fromSent(entity, candidate);
      const found = before && after ? compare(before, after) : [];
      if (found.length > 0) differences.set(candidate.position, found);
    } catch (error) {
      run.log.error(
        { err: error, position: candidate.position },
        "the differences of a record were not found",
      );
    }
    if (budget.isSpent) await budget.giveWay();
  }
  return differences;
}

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
