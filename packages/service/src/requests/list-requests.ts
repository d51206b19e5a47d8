import type { LoggedRequest, RequestsPage, RequestsQuery } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { momentOf } from "../moments.js";
import { findKeys, type ShownKeys } from "../organizations/shown-keys.js";
import { maxScannedRows } from "../paging/bounded-page.js";
import { firstIdAt, momentOfId } from "../paging/time-ordered-ids.js";
import type { RequestLogBounds } from "./sweep-request-log.js";

export interface RequestFilters extends RequestsQuery {
  organizationId: string;
  limit: number;
}

interface RequestRow {
  id: string;
  api_key_id: string;
  operation: string;
  status: number | null;
  reason: string | null;
  run_id: string | null;
  body_bytes: number | null;
  duration_ms: number | null;
  request_id: string;
}

const outcomes: Record<NonNullable<RequestsQuery["outcome"]>, string> = {
  accepted: "status < 400",
  error: "status >= 400",
  limited: "status = 429",
  refused: "status >= 400 and status <> 429",
  failed: "status >= 500",
  unanswered: "status is null",
};

/**
 * A page of the log. Key, time and request id are found by an index; of what they leave, a bounded number of rows is
 * looked through for the other filters, and the cursor says where that ended, even on a short page.
 */
export async function listRequests(
  pool: pg.Pool,
  filters: RequestFilters,
  bounds: RequestLogBounds,
): Promise<RequestsPage> {
  const isNewer = filters.after !== undefined;
  const { rows, edge } = await readRows(pool, filters, isNewer ? "asc" : "desc");
  const shown = rows.slice(0, filters.limit);
  const last = rows.length > filters.limit ? shown.at(-1)?.id : edge;
  const ordered = isNewer ? shown.toReversed() : shown;
  const keys = await findKeys(
    pool,
    filters.organizationId,
    ordered.map((row) => row.api_key_id),
  );
  return {
    data: ordered.map((row) => toRequest(row, keys)),
    nextCursor: (isNewer ? (ordered.at(-1)?.id ?? filters.after) : last) ?? null,
    previousCursor: (isNewer ? last : filters.before && (ordered[0]?.id ?? filters.before)) ?? null,
    keptDays: bounds.days,
    keptRows: bounds.rows,
  };
}

/** Rows in the order in which they are read, one more than a page; `edge`: where the look through them has ended early. */
async function readRows(
  pool: pg.Pool,
  filters: RequestFilters,
  direction: "asc" | "desc",
): Promise<{ rows: RequestRow[]; edge: string | undefined }> {
  const values: unknown[] = [filters.organizationId];
  const where = (condition: (parameter: string) => string, value: unknown): string =>
    value === undefined ? "" : ` and ${condition(`$${values.push(value)}`)}`;
  const source = `from request_log where organization_id = $1${[
    where((id) => `api_key_id = ${id}`, filters.apiKey),
    // What cannot be stored is nobody's.
    where((id) => `request_id = ${id}`, filters.requestId?.replaceAll("\u0000", "\uffff")),
    where((id) => `id >= ${id}`, idAt(filters.from)),
    where((id) => `id < ${id}`, idAt(filters.to)),
    where((id) => `id < ${id}`, filters.before),
    where((id) => `id > ${id}`, filters.after),
  ].join("")} order by id ${direction}`;
  const sourceValues = [...values];
  const filter = [
    where((name) => `operation = ${name}`, filters.operation),
    where((name) => `reason = ${name}`, filters.reason),
    filters.outcome === undefined ? "" : ` and ${outcomes[filters.outcome]}`,
  ].join("");
  const { rows } = await pool.query<RequestRow>(
    `select id, api_key_id, operation, status, reason, run_id, body_bytes, duration_ms, request_id
     from (select * ${source} limit ${maxScannedRows}) as record
     where true${filter} order by id ${direction} limit ${filters.limit + 1}`,
    values,
  );
  if (filter === "" || rows.length > filters.limit) return { rows, edge: undefined };
  const { rows: edges } = await pool.query<{ id: string }>(
    `select id ${source} limit 1 offset ${maxScannedRows - 1}`,
    sourceValues,
  );
  return { rows, edge: edges[0]?.id };
}

function idAt(text: string | undefined): string | undefined {
  const moment = momentOf(text);
  return moment && firstIdAt(moment);
}

function toRequest(row: RequestRow, keys: ShownKeys): LoggedRequest {
  return {
    uuid: row.id,
    at: momentOfId(row.id).toISOString(),
    apiKey: keys.get(row.api_key_id) ?? { uuid: row.api_key_id, name: "", prefix: "" },
    operation: row.operation,
    status: row.status,
    reason: row.reason,
    referenceUuid: row.run_id,
    bodyBytes: row.body_bytes,
    durationMs: row.duration_ms === null ? null : Math.round(row.duration_ms * 10) / 10,
    requestId: row.request_id,
  };
}
