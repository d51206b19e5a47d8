import type { UndoPreview } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { storedTable } from "../../core/entities/entities.js";
import { countByKind } from "./created-records.js";
import type { Referrer, KeptRecord, UndoPlan } from "./plan-undo.js";

/** How many of the records that somebody was told are stored are named. */
const shownAcknowledged = 5;

/** A plan as people look at it: what goes is counted, and what stays is named. */
export async function showPlan(
  client: pg.ClientBase,
  organizationId: string,
  { removed, kept, acknowledged }: Pick<UndoPlan, "removed" | "kept" | "acknowledged">,
): Promise<Pick<UndoPreview, "removed" | "kept" | "acknowledged">> {
  const names = await nameRecords(client, organizationId, kept);
  return {
    removed: countByKind(removed),
    kept: kept.map((record) => ({
      kind: record.kind,
      uuid: record.id,
      reference: names.get(record.id) ?? "",
      referredBy: record.referredBy.map(toShown),
    })),
    acknowledged: {
      count: acknowledged.length,
      examples: acknowledged.slice(0, shownAcknowledged).map(toShown),
    },
  };
}

function toShown({ kind, id, reference, runId }: Referrer) {
  return { kind, uuid: id, reference, referenceUuid: runId };
}

/** How people call these records. Lateral, as all look-ups. */
async function nameRecords(
  client: pg.ClientBase,
  organizationId: string,
  records: readonly KeptRecord[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const { kind } of countByKind(records)) {
    const ids = records.filter((record) => record.kind === kind).map(({ id }) => id);
    const { rows } = await client.query<{ id: string; reference: string | null }>(
      `select found.id, found.reference
       from json_array_elements_text($2) as wanted (id)
       cross join lateral (
         select record.id, ${storedTable(kind).page.reference} as reference from ${kind} as record
         where record.organization_id = $1 and record.id = wanted.id::uuid limit 1
       ) as found`,
      [organizationId, JSON.stringify(ids)],
    );
    for (const { id, reference } of rows) names.set(id, reference ?? "");
  }
  return names;
}
