import type { CursorQuery, ExactJson, Role, Timestamp, Uuid } from "./common.js";

export interface SignInRequest {
  email: string;
  password: string;
}
/** A one-time link is /sign-in#token=TOKEN: what stands behind the # never reaches a log. The page posts the token. */
export interface LinkSignInRequest {
  token: string;
}
/** `currentPassword` is needed if the person has one. All other sessions of the person end; this one is rotated. */
export interface ChangePasswordRequest {
  currentPassword?: string;
  newPassword: string;
}

export interface Session {
  user: SignedInUser;
  /** The organization of an admin or viewer; null for an operator, who picks one from the list. */
  organization: OrganizationSummary | null;
  /** When the session ends, whatever happens. It also ends after 12 hours without a request. */
  expiresAt: Timestamp;
  /** The origin that links and commands name; null: the one by which the console was opened. */
  publicUrl: string | null;
}
export interface SignedInUser {
  uuid: Uuid;
  email: string;
  role: Role;
  /** False after an invitation: ask for a password. */
  hasPassword: boolean;
}

export interface OrganizationSummary {
  uuid: Uuid;
  name: string;
  isDemo: boolean;
  createdAt: Timestamp;
}
/** `query`: case-insensitive text in the name. At most 200 organizations, by name. */
export interface ListOrganizationsQuery {
  query?: string;
}
export interface OrganizationList {
  data: OrganizationSummary[];
  /** True if there are more than were listed. */
  truncated: boolean;
}
export interface CreateOrganizationRequest {
  name: string;
}

export interface OrganizationSettings extends OrganizationSummary {
  captcha: {
    type: "recaptcha" | "hcaptcha" | "turnstile";
    minimumScore: number | null;
    hostnames: string[];
  } | null;
  honeypotField: string | null;
  leadOrigins: string[];
}
/** Fields that are absent stay as they are; null switches off. The captcha's secret is never shown again. */
export interface ChangeSettingsRequest {
  captcha?: {
    type: "recaptcha" | "hcaptcha" | "turnstile";
    /** Absent: the stored one, if the type stays the same. */
    secret?: string;
    /** reCAPTCHA v3 only: 0 to 1; null: none; absent: as it is. */
    minimumScore?: number | null;
    hostnames?: string[];
  } | null;
  honeypotField?: string | null;
  leadOrigins?: string[];
}

export interface Member {
  uuid: Uuid;
  email: string;
  role: "admin" | "viewer";
  createdAt: Timestamp;
  disabledAt: Timestamp | null;
  hasPassword: boolean;
  lastSeenAt: Timestamp | null;
}
export interface MemberList {
  data: Member[];
}
export interface InviteMemberRequest {
  email: string;
  role: "admin" | "viewer";
}
export interface Invitation {
  member: Member;
  link: SignInLink;
}
export interface SignInLink {
  /** To be put behind the console's origin: /sign-in#token=TOKEN. Shown once. */
  path: string;
  expiresAt: Timestamp;
}
export interface ChangeMemberRequest {
  role?: "admin" | "viewer";
  disabled?: boolean;
}

export interface AuditQuery extends CursorQuery {
  /** Such as api-key.create; or its beginning, such as api-key. */
  action?: string;
}
export interface AuditLine {
  uuid: Uuid;
  at: Timestamp;
  actor: string;
  action: string;
  subjectUuid: Uuid | null;
  detail: ExactJson;
}
