import { operations, type OperationName } from "@gatehouse-parking/contract";
import type { SampleRequest, Sample } from "@gatehouse-parking/contract/console";
import { randomBytes } from "node:crypto";
import type pg from "pg";

/** A sample before it is sent. What the partner would fill in is real: the location exists, references are new. */
export type PlannedSample = Sample;
/** Its headers are without the key, which is only known when it is sent or shown. */
export type PlannedRequest = SampleRequest;

/** What the samples are made for. */
export interface SampleWorld {
  locationUuid: string;
  /** Makes references of this round new. */
  unique: string;
  /** How many leads one address may submit in a window. */
  leadLimit: number;
}

/** Names nothing in any organization. */
export const unknownUuid = "00000000-0000-7000-8000-000000000000";

const json = { "Content-Type": "application/json" };

export function post(
  operation: OperationName,
  body: unknown,
  options: Partial<PlannedRequest> = {},
): PlannedRequest {
  return {
    method: operations[operation].method,
    path: operations[operation].path,
    headers: json,
    body: typeof body === "string" ? body : JSON.stringify(body, null, 2),
    trailingSpaces: 0,
    key: "full",
    isSecure: true,
    ...options,
  };
}

export function get(
  operation: OperationName,
  path: string = operations[operation].path,
  options: Partial<PlannedRequest> = {},
): PlannedRequest {
  return {
    method: "GET",
    path,
    headers: {},
    body: null,
    trailingSpaces: 0,
    key: "full",
    isSecure: true,
    ...options,
  };
}

/** The least a transaction needs, and what the sample is about. */
export function transaction(
  { locationUuid, unique }: SampleWorld,
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

/** What samples are made for now; undefined as long as the organization has no location. */
export async function findSampleWorld(
  pool: pg.Pool,
  input: { organizationId: string; leadLimit: number },
): Promise<SampleWorld | undefined> {
  const { rows } = await pool.query<{ id: string }>(
    "select id from locations where organization_id = $1 order by is_active desc, id limit 1",
    [input.organizationId],
  );
  if (!rows[0]) return undefined;
  return {
    locationUuid: rows[0].id,
    unique: randomBytes(4).toString("hex"),
    leadLimit: input.leadLimit,
  };
}
