import type { TSchema } from "typebox";

/** Operators see all organizations. Admins and viewers belong to organizations; viewers cannot change anything. */
export const roles = ["operator", "admin", "viewer"] as const;
export type Role = (typeof roles)[number];

/**
 * One operation of the console's interface. The service registers, authorizes and validates by this description, the
 * pages take paths and types from it, and the OpenAPI document is generated from it.
 */
export interface ConsoleOperation {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Its parameters are defined in parameters.ts. */
  path: string;
  /** The lowest role in the organization of the path that may use it. public: no session needed. viewer: anyone signed in. */
  role: "public" | "viewer" | "admin" | "operator";
  summary: string;
  description?: string;
  /** An empty value counts as absent, because forms send empty values. */
  query?: TSchema;
  /** Absent: the body is ignored. */
  body?: TSchema;
  /** The body is a piece of a file, sent as application/octet-stream. */
  bytes?: true;
  /** The largest accepted body. Absent: maxFormBytes. Larger ones share the limit on concurrent request bodies. */
  maxBytes?: number;
  /** The audit log records who did it. */
  audited?: true;
  /** Type.Void: 204. */
  answer: TSchema;
}

/** A form that a person filled in. */
export const maxFormBytes = 64 * 1024;

export const root = "/console/api";
export const organization = `${root}/organizations/:organizationUuid` as const;
