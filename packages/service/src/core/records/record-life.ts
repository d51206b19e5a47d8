import type pg from "pg";
import type { RecordDetail, RecordKind } from "@gatehouse-parking/contract/console";
import { notFoundError } from "../refusals/user-error.js";
import { traceOf, type TraceColumns } from "../imports/history/run-results.js";
import { formatOffset } from "../locations/time-zones.js";
import { pageKinds, rowColumns, toRecordRow, type StoredRecord } from "./page-kinds.js";
import { linkedFrom, linksOf } from "./links.js";
import { findOccurrences } from "./occurrences.js";
import type { FindRemoved } from "./removed-records.js";

interface DetailRow extends StoredRecord, Partial<TraceColumns> {
  metadata: string | null;
  is_metadata_left_out: boolean | null;
  import_run_id: string;
  position: number;
  run_started_at: Date | null;
}

/** Longer than any metadata, because a body has at most 5 MB. */
const anyLength = 2 ** 31 - 1;

/** A record with its import, its links and the runs that it was resent in. Search results omit long metadata. */
export async function showRecordLife(
  pool: pg.Pool,
  organizationId: string,
  {
    kind,
    id,
    longestMetadata = anyLength,
    findRemoved,
  }: { kind: RecordKind; id: string; longestMetadata?: number; findRemoved: FindRemoved },
): Promise<RecordDetail> {
  const { rows } = await pool.query<DetailRow>(
    `select ${rowColumns(kind)}, case when length(record.metadata::text) <= $3 then record.metadata end as metadata,
            length(record.metadata::text) > $3 as is_metadata_left_out,
            record.import_run_id, record.position, run.started_at as run_started_at
     from ${kind} as record
     left join import_runs as run on run.organization_id = record.organization_id and run.id = record.import_run_id
     where record.organization_id = $1 and record.id = $2`,
    [organizationId, id, longestMetadata],
  );
  const row = rows[0];
  if (!row) throw notFoundError(await explainAbsence(pool, organizationId, id, findRemoved));

  const shown = toRecordRow(kind, row);
  const { resource } = pageKinds[kind];
  return {
    ...shown,
    metadata: row.metadata,
    ...(row.is_metadata_left_out ? { isMetadataLeftOut: true } : {}),
    links: await linksOf(pool, organizationId, kind, row),
    linkedFrom: await linkedFrom(pool, organizationId, kind, id),
    createdIn: {
      referenceUuid: row.import_run_id,
      position: row.position,
      startedAt: row.run_started_at?.toISOString() ?? null,
    },
    ...(kind === "transactions" ? { trace: traceOf(row) ?? {}, local: localOf(row) } : {}),
    occurrences: resource
      ? await findOccurrences(pool, { organizationId, reference: shown.reference, resource })
      : [],
  };
}

async function explainAbsence(
  pool: pg.Pool,
  organizationId: string,
  id: string,
  findRemoved: FindRemoved,
): Promise<string> {
  const removed = await findRemoved(pool, organizationId, { uuid: id });
  const deleted = removed.deleted?.[0];
  if (deleted) return `It was deleted at ${deleted.at}, at the end of its retention period`;
  const gone = removed.takenBack?.[0];
  if (!gone) return `There is no such record ${id} in this organization`;
  return `It was removed at ${gone.at}, when ${gone.by} undid the import ${gone.referenceUuid}`;
}

/** The local time at the location. */
function localOf(row: StoredRecord): NonNullable<RecordDetail["local"]> {
  const offsetSeconds = row["utc_offset_seconds"] as number;
  const wallClock = new Date((row["transaction_date"] as Date).getTime() + offsetSeconds * 1000);
  return {
    timeZone: row["time_zone"] as string,
    localDate: row["local_date"] as string,
    localTime: wallClock.toISOString().slice(11, 19),
    utcOffset: formatOffset(offsetSeconds),
  };
}
