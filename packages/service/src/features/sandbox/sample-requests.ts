import { operations, type OperationName } from "@gatehouse-parking/contract";
import type { SampleRequest } from "@gatehouse-parking/contract/console";
import { randomBytes } from "node:crypto";
import type pg from "pg";

/** What the requests of the samples refer to. */
export interface SampleContext {
  locationUuid: string;
  /** Makes the references of the samples new each time. */
  unique: string;
  /** How many leads one address may submit in a window. */
  leadLimit: number;
}

/** Returns undefined if the organization has no location. */
export async function findSampleContext(
  pool: pg.Pool,
  { organizationId, leadLimit }: { organizationId: string; leadLimit: number },
): Promise<SampleContext | undefined> {
  const { rows } = await pool.query<{ id: string }>(
    "select id from locations where organization_id = $1 order by is_active desc, id limit 1",
    [organizationId],
  );
  return rows[0] && { locationUuid: rows[0].id, unique: randomBytes(4).toString("hex"), leadLimit };
}

/** Does not exist in any organization. */
export const unknownUuid = "00000000-0000-7000-8000-000000000000";

/** The headers of a request do not contain the key, which is added when the sample is run or shown. */
export function post(
  operation: OperationName,
  body: unknown,
  options: Partial<SampleRequest> = {},
): SampleRequest {
  return {
    method: operations[operation].method,
    path: operations[operation].path,
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body, null, 2),
    trailingSpaces: 0,
    key: "full",
    isSecure: true,
    ...options,
  };
}

export function get(operation: OperationName, path: string = operations[operation].path): SampleRequest {
  return { method: "GET", path, headers: {}, body: null, trailingSpaces: 0, key: "full", isSecure: true };
}

/** The required fields of a transaction, and those that the sample is about. */
export function transaction(
  { locationUuid, unique }: SampleContext,
  name: string,
  fields: object = {},
): Record<string, unknown> {
  return {
    transactionId: `sandbox-${name}-${unique}`,
    locationUuid,
    type: 1,
    transactionDate: "2026-04-01T14:30:00.000Z",
    amountTotal: 12.5,
    ...fields,
  };
}

export function transactions(...records: unknown[]): object {
  return { transactions: records };
}

/** The same request with the header that carries this key. */
export function withKey(
  request: SampleRequest,
  keys: Record<SampleRequest["key"], string | undefined>,
): SampleRequest {
  const key = keys[request.key];
  return { ...request, headers: { ...(key === undefined ? {} : { "X-API-KEY": key }), ...request.headers } };
}
