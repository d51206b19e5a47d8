import { operations, type OperationName } from "@gatehouse-parking/contract";
import type { Sample } from "@gatehouse-parking/contract/console";

/** A sample before it is sent. What the partner would fill in is real: the location exists, references are new. */
export interface PlannedSample extends Omit<Sample, "requests"> {
  requests: PlannedRequest[];
}

export interface PlannedRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  /** full: a key with all permissions. limited: one that may only read runs. broken: nobody's. */
  key: "full" | "limited" | "broken" | "none";
  isSecure: boolean;
}

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
  return { method: "GET", path, headers: {}, body: null, key: "full", isSecure: true, ...options };
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
