import type { TSchema } from "typebox";

/** Operators see all organizations; admins and viewers belong to some, and viewers change nothing. */
export const roles = ["operator", "admin", "viewer"] as const;
export type Role = (typeof roles)[number];

/**
 * One operation of the console's interface. The service registers, guards and validates by this row, the pages take
 * their addresses and types from it, and the OpenAPI document is made of it.
 */
export interface ConsoleOperation {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Its parameters are those of parameters.ts. */
  path: string;
  /** The least role, in the organization of the path, that may use it. public: without a session. viewer: anyone who is signed in. */
  role: "public" | "viewer" | "admin" | "operator";
  summary: string;
  description?: string;
  /** An empty value is as good as none, because forms send those. */
  query?: TSchema;
  /** Absent: what is sent is not looked at. */
  body?: TSchema;
  /** The body is a part of a file, sent as application/octet-stream. */
  bytes?: true;
  /** The largest body that is accepted. Absent: maxFormBytes. Larger ones are read in turns with everybody else. */
  maxBytes?: number;
  /** The audit log gets a line that says who did it. */
  audited?: true;
  /** Type.Void: 204. */
  answer: TSchema;
}

/** A form that somebody filled in. */
export const maxFormBytes = 64 * 1024;

export const root = "/console/api";
export const organization = `${root}/organizations/:organizationUuid` as const;
