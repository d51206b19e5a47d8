import type {
  LoggedRequest,
  RequestAnswer,
  RequestDetail,
  RequestsPage,
  RequestsQuery,
} from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { momentOf } from "../../core/clock.js";
import { searchable } from "../../core/database/sql.js";
import { findKeys, type ShownKeys } from "../../core/organizations/api-keys.js";
import { readingOf, listConditions, firstIdAt, momentOfId } from "../../core/paging/pages.js";
import { boundedPageBothWays } from "../../core/paging/bounded-page.js";
import { notFoundError } from "../../core/refusals/user-error.js";
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
  accepted: "record.status < 400",
  error: "record.status >= 400",
  limited: "record.status = 429",
  refused: "record.status >= 400 and record.status <> 429",
  failed: "record.status >= 500",
  unanswered: "record.status is null",
};

/**
 * A page of the log. Key, time and request id are found by an index. For the other filters a bounded number of the remaining rows
 * is read.
 */
export async function listRequests(
  pool: pg.Pool,
  filters: RequestFilters,
  bounds: RequestLogBounds,
): Promise<RequestsPage> {
  const { organizationId, limit } = filters;
  const { where, ...conditions } = conditionsOf(filters);
  const page = await boundedPageBothWays<RequestRow & pg.QueryResultRow, RequestRow>(
    pool,
    {
      source: `from request_log as record where ${where}`,
      columns: `record.id, record.api_key_id, record.operation, record.status, record.reason, record.run_id,
        record.body_bytes, record.duration_ms, record.request_id`,
      ...conditions,
      order: ["id"],
      limit,
      toItem: (row) => row,
    },
    readingOf(filters),
  );
  const keys = await findKeys(
    pool,
    organizationId,
    page.data.map((row) => row.api_key_id),
  );
  return {
    ...page,
    data: page.data.map((row) => toRequest(row, keys)),
    keptDays: bounds.days,
    keptRows: bounds.rows,
  };
}

/** One request with its answer. */
export async function showRequest(
  pool: pg.Pool,
  organizationId: string,
  requestUuid: string,
): Promise<RequestDetail> {
  const { rows } = await pool.query<RequestRow & { answer: string | null }>(
    `select id, api_key_id, operation, status, reason, run_id, body_bytes, duration_ms, request_id, answer
     from request_log where organization_id = $1 and id = $2`,
    [organizationId, requestUuid],
  );
  if (!rows[0]) throw notFoundError(`There is no request ${requestUuid}`);
  const keys = await findKeys(pool, organizationId, [rows[0].api_key_id]);
  const { answer } = rows[0];
  return {
    ...toRequest(rows[0], keys),
    answer: answer === null ? null : (JSON.parse(answer) as RequestAnswer),
  };
}

function conditionsOf(filters: RequestFilters) {
  const conditions = listConditions(filters.organizationId);
  conditions.indexed(filters.apiKey, (id) => `record.api_key_id = ${id}::uuid`);
  conditions.indexed(filters.requestId && searchable(filters.requestId), (id) => `record.request_id = ${id}`);
  conditions.indexed(idAt(filters.from), (id) => `record.id >= ${id}::uuid`);
  conditions.indexed(idAt(filters.to), (id) => `record.id < ${id}::uuid`);
  conditions.indexed(filters.before, (id) => `record.id < ${id}::uuid`);
  conditions.indexed(filters.after, (id) => `record.id > ${id}::uuid`);

  conditions.other(filters.operation, (name) => `record.operation = ${name}`);
  conditions.other(filters.reason, (name) => `record.reason = ${name}`);
  if (filters.outcome !== undefined) conditions.fixed(outcomes[filters.outcome]);
  return conditions.parts();
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
