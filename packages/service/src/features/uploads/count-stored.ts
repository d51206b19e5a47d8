import { recordKinds, type KindCount, type RecordKind } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { resourceNameOf, type UploadRow } from "./upload-row.js";

/** The runs of an upload. Lateral, as all look-ups. */
const runsOfUpload = `
  from upload_batches as batch
  cross join lateral (
    select success_count, created_accounts, created_contacts, created_vehicles, created_subscriptions, deleted_records
    from import_runs where organization_id = $1 and id = batch.run_id limit 1
  ) as run`;
const ofUpload = "where batch.organization_id = $1 and batch.upload_id = $2 and batch.pass_number = $3";

const countCreated = `
  select coalesce(sum(run.success_count), 0)::bigint as own,
         coalesce(sum(run.created_accounts), 0)::bigint as accounts,
         coalesce(sum(run.created_contacts), 0)::bigint as contacts,
         coalesce(sum(run.created_vehicles), 0)::bigint as vehicles,
         coalesce(sum(run.created_subscriptions), 0)::bigint as subscriptions
  ${runsOfUpload} ${ofUpload}`;

/** By retention. */
const countDeleted = `
  select deleted.key as kind, sum(deleted.value::bigint)::bigint as count
  ${runsOfUpload} cross join lateral jsonb_each_text(run.deleted_records) as deleted
  ${ofUpload} group by deleted.key`;

const countUndone = `
  select undone.kind, count(*) as count
  from upload_batches as batch
  cross join lateral (
    select kind from undo_records where organization_id = $1 and run_id = batch.run_id and is_removed
  ) as undone
  ${ofUpload} group by undone.kind`;

interface Created extends Partial<Record<RecordKind, number>> {
  /** Records of the file itself. */
  own: number;
}

/**
 * How many records that an upload created are still stored, by kind. It adds up what each run has counted, so it is exact
 * for any number of runs without a look at the records.
 */
export async function countStored(
  client: pg.PoolClient,
  upload: UploadRow,
): Promise<Map<RecordKind, number>> {
  const values = [upload.organization_id, upload.id, upload.pass_number];
  const { rows: created } = await client.query<Created>(countCreated, values);
  const { own = 0, ...related } = created[0] ?? {};
  const counts = new Map(Object.entries(related) as [RecordKind, number][]);
  const add = (kind: RecordKind, count: number) => counts.set(kind, (counts.get(kind) ?? 0) + count);
  add(resourceNameOf(upload), own);
  for (const statement of [countDeleted, countUndone]) {
    const { rows } = await client.query<KindCount>(statement, values);
    for (const { kind, count } of rows) add(kind, -count);
  }
  return counts;
}

/** In the order of the console's pages, without kinds of which there are none. */
export function toKindCounts(counts: ReadonlyMap<RecordKind, number>): KindCount[] {
  return recordKinds.map((kind) => ({ kind, count: counts.get(kind) ?? 0 })).filter(({ count }) => count > 0);
}
