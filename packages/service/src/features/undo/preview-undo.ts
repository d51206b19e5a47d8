import type { UndoPreview } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction, type Connection } from "../../core/database/transaction.js";
import { storedTable } from "../../core/entities/entities.js";
import { countByKind } from "./created-records.js";
import { planUndo, type KeptRecord, type Referrer, type UndoPlan } from "./plan-undo.js";
import { requireUndoable } from "./undo-status.js";

/** How many acknowledged records a preview names. */
const shownAcknowledged = 5;

/** What an undo would do. Its version goes along with the confirmation. */
export async function previewUndo(
  connection: Connection,
  { organizationId, runId, undoDays }: { organizationId: string; runId: string; undoDays: number },
): Promise<UndoPreview> {
  return transaction(connection, async (client) => {
    const plan = await planUndo(client, organizationId, runId);
    return {
      version: plan.version,
      until: requireUndoable(plan.run.completedAt, undoDays),
      ...(await showPlan(client, organizationId, plan)),
    };
  });
}

/** Counts what is removed and names what is kept. */
export async function showPlan(
  client: pg.ClientBase,
  organizationId: string,
  { removed, kept, acknowledged }: Pick<UndoPlan, "removed" | "kept" | "acknowledged">,
): Promise<Pick<UndoPreview, "removed" | "kept" | "acknowledged">> {
  const references = await readReferences(client, organizationId, kept);
  return {
    removed: countByKind(removed),
    kept: kept.map((record) => ({
      kind: record.kind,
      uuid: record.id,
      reference: references.get(record.id) ?? "",
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

/** The references of records by identifier. Lateral, like all look-ups. */
async function readReferences(
  client: pg.ClientBase,
  organizationId: string,
  records: readonly KeptRecord[],
): Promise<Map<string, string>> {
  const references = new Map<string, string>();
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
    for (const { id, reference } of rows) references.set(id, reference ?? "");
  }
  return references;
}
