import { operationNames, type ErrorName, type OperationName } from "@gatehouse-parking/contract";
import type pg from "pg";
import { idMadeAt, type SeededRandom } from "./seeded-random.js";
import { historyDays } from "./sample-history.js";
import { dayMs, hourMs } from "./sample-records.js";

/** A line of the request log. */
export interface SampleRequest {
  at: number;
  apiKeyId: string;
  operation: OperationName;
  status: number;
  reason: ErrorName | null;
  runId: string | null;
  bodyBytes: number | null;
  durationMs: number;
  requestId: string;
}

const address = "203.0.113.7";

/** Reads, forms and rejected requests of both keys. */
export function planRequests(
  chance: SeededRandom,
  { importKeyId, formsKeyId, now }: { importKeyId: string; formsKeyId: string; now: number },
): SampleRequest[] {
  const requests: SampleRequest[] = [];
  const add = (
    at: number,
    apiKeyId: string,
    operation: OperationName,
    [status, reason]: [number, ErrorName | null] = [200, null],
  ) => {
    const isRead = operation.startsWith("list") || operation.startsWith("get");
    requests.push({
      at,
      apiKeyId,
      operation,
      status,
      reason,
      runId: null,
      requestId: idMadeAt(at),
      bodyBytes: isRead ? null : chance.between(180, 2_400),
      durationMs: chance.between(2, 40) + chance.next(),
    });
  };
  for (let at = now - historyDays * dayMs; at < now - 60_000; at += 6 * hourMs) {
    add(at, importKeyId, "listLocations");
    add(at + 60_000, importKeyId, "listImports");
    if (chance.next() < 0.25) add(at + 120_000, importKeyId, "importTransactions", [400, "batchEmpty"]);
    if (chance.next() < 0.15) add(at + 180_000, importKeyId, "importTransactions", [429, "rateLimited"]);
    if (chance.next() < 0.15) add(at + 240_000, formsKeyId, "submitLead", [400, "bodyInvalid"]);
  }
  // More requests in the last day, for the charts.
  for (let hours = 23; hours >= 0; hours -= 1) {
    const at = now - hours * hourMs - 50 * 60_000;
    add(at, importKeyId, "getImport");
    for (let count = chance.between(1, 4); count > 0; count -= 1)
      add(at + count * 240_000, importKeyId, "listLocations");
    if (hours % 2 === 0) add(at + 60_000, formsKeyId, "submitLead", [400, "bodyInvalid"]);
    if (hours % 9 === 0) add(at + 90_000, formsKeyId, "importTransactions", [403, "permissionMissing"]);
  }
  return requests.filter(({ operation }) => operationNames.includes(operation));
}

const writeLog = `
  insert into request_log (
    organization_id, id, api_key_id, operation, status, reason, run_id, body_bytes, duration_ms, request_id
  )
  select $1, id, api_key_id, operation, status, reason, run_id, body_bytes, duration_ms, request_id
  from json_to_recordset($2) as line (
    id uuid, api_key_id uuid, operation text, status smallint, reason text, run_id uuid, body_bytes bigint,
    duration_ms real, request_id text
  )`;

/** Adds the requests per hour to the usage counts. */
const writeUsage = `
  insert into api_key_usage as stored (organization_id, api_key_id, operation, hour, accepted, limited, refused)
  select $1, api_key_id, operation, date_trunc('hour', at), count(*) filter (where status < 400),
         count(*) filter (where status = 429), count(*) filter (where status >= 400 and status <> 429)
  from json_to_recordset($2) as line (api_key_id uuid, operation text, at timestamptz, status smallint)
  group by 2, 3, 4
  on conflict (organization_id, hour, api_key_id, operation) do update
  set accepted = stored.accepted + excluded.accepted, limited = stored.limited + excluded.limited,
      refused = stored.refused + excluded.refused`;

/** Only if the key has not been used since. */
const noteLastUse = `
  update api_keys as key set last_used_at = used.at, last_used_address = $3
  from (
    select api_key_id, max(at) as at from json_to_recordset($2) as line (api_key_id uuid, at timestamptz)
    group by api_key_id
  ) as used
  where key.organization_id = $1 and key.id = used.api_key_id
    and (key.last_used_at is null or key.last_used_at < used.at)`;

/** A key must be older than its first request. */
const backdateKeys = `
  update api_keys as key set created_at = used.since
  from (
    select api_key_id, min(at) as since from json_to_recordset($2) as line (api_key_id uuid, at timestamptz)
    group by api_key_id
  ) as used
  where key.organization_id = $1 and key.id = used.api_key_id and key.created_at > used.since`;

export async function writeRequests(
  pool: pg.Pool,
  organizationId: string,
  requests: readonly SampleRequest[],
): Promise<void> {
  const lines = JSON.stringify(
    requests.map((request) => ({
      id: idMadeAt(request.at + request.durationMs),
      api_key_id: request.apiKeyId,
      operation: request.operation,
      status: request.status,
      reason: request.reason,
      run_id: request.runId,
      body_bytes: request.bodyBytes,
      duration_ms: request.durationMs,
      request_id: request.requestId,
      at: new Date(request.at).toISOString(),
    })),
  );
  await pool.query(writeLog, [organizationId, lines]);
  await pool.query(writeUsage, [organizationId, lines]);
  await pool.query(noteLastUse, [organizationId, lines, address]);
  await pool.query(backdateKeys, [organizationId, lines]);
}
