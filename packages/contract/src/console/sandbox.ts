import type { OperationName } from "../index.js";
import type { Uuid } from "./common.js";

export interface Sandbox {
  organizationUuid: Uuid;
  samples: Sample[];
}
export interface Sample {
  name: string;
  title: string;
  /** What it shows and why the answer is what it is. */
  description: string;
  operation: OperationName;
  group: "success" | "reason" | "error";
  /** Set if it shows a reason code. */
  reasonCode?: number;
  /** The HTTP status it is meant to get. */
  expectedStatus: number;
  /** Several: they are sent in order, and the last answer is the point. */
  requests: SampleRequest[];
  /** Set if the service cannot be made to show it on demand; the request is then only to read. */
  notRunnable?: string;
}
export interface SampleRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  /** JSON text or deliberately broken text; null: none. Long ones are shortened for showing. */
  body: string | null;
}
export interface SampleRun {
  exchanges: {
    request: SampleRequest;
    answer: { status: number; headers: Record<string, string>; body: string };
    durationMs: number;
  }[];
}
export interface SandboxReset {
  /** Rows removed, by table. */
  deleted: Record<string, number>;
}
