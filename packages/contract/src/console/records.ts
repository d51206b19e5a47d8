import type { CursorQuery, ExactJson, LocalDate, Timestamp, Uuid } from "./common.js";
import type { ResolutionTrace, ResolvedVia } from "./runs.js";

export type RecordKind = "transactions" | "accounts" | "subscriptions" | "contacts" | "vehicles";

/** Filters that do not apply to a kind are ignored. */
export interface RecordsQuery extends CursorQuery {
  /** Transactions (place), accounts and subscriptions (home location). */
  location?: Uuid;
  /** transactions: type; accounts: type; subscriptions: status. */
  type?: number;
  /** Transactions: first and last local date. */
  fromDate?: LocalDate;
  toDate?: LocalDate;
  /** Records of one run. */
  run?: Uuid;
  /** Transactions and subscriptions of this account; transactions of this contact, vehicle, subscription. */
  account?: Uuid;
  contact?: Uuid;
  vehicle?: Uuid;
  subscription?: Uuid;
  /** Beginning of the reference: transactionId, tpReferenceId, e-mail or plate. Case counts for references. */
  text?: string;
}

/** A field value as it is stored: amounts are decimal text, times are timestamps, booleans and integers themselves. */
export type FieldValue = string | number | boolean | null;

/** One row of a list. */
export interface RecordRow {
  uuid: Uuid;
  kind: RecordKind;
  /** transactionId, tpReferenceId, e-mail or phone, plate. */
  reference: string;
  /** A short line for people: location and date, company name, person's name, make and model. */
  title: string;
  createdAt: Timestamp;
  /** The fields of the interface, by their names there, without metadata. */
  fields: Record<string, FieldValue>;
}

export interface RecordLink {
  kind: RecordKind | "locations";
  uuid: Uuid;
  reference: string;
  title: string;
  /** How the transaction found it; absent for other records. */
  via?: ResolvedVia;
}

export interface RecordDetail extends RecordRow {
  metadata: ExactJson | null;
  /** What it points to: location, account, contact, vehicle, subscription. */
  links: RecordLink[];
  /** What points to it: the newest ten of each kind, and whether there are more. */
  linkedFrom: { kind: RecordKind; data: RecordLink[]; hasMore: boolean }[];
  createdIn: RecordOrigin;
  /** Transactions only. */
  trace?: ResolutionTrace;
  /** Transactions only. */
  local?: { timeZone: string; localDate: LocalDate; localTime: string; utcOffset: string };
  /** Later batches that sent it again or failed with its reference: newest first, at most 50. */
  occurrences: Occurrence[];
}

/** Which record of which run made it. */
export interface RecordOrigin {
  referenceUuid: Uuid;
  position: number;
  startedAt: Timestamp | null;
}

/** A record of a run that was not stored: Skipped (3) or Failed (4). */
export interface Occurrence {
  referenceUuid: Uuid;
  position: number;
  startedAt: Timestamp | null;
  resource: 1 | 2 | 3;
  reference: string;
  status: 3 | 4;
  reasonCode: number;
  reasonName: string;
  errorDetail: string | null;
  hasDifferences: boolean;
}

/** One box for everything: transactionId, tpReferenceId, any uuid, e-mail, phone, plate, referenceUuid. */
export interface SearchQuery {
  q: string;
}
export type MatchedBy =
  | "transactionId"
  | "tpReferenceId"
  | "uuid"
  | "email"
  | "phone"
  | "plate"
  | "referenceUuid"
  | "name";
export interface SearchAnswer {
  query: string;
  /** At most 25. */
  hits: SearchHit[];
  /** Batches that mention the reference without a stored record behind it, newest first, at most 50. */
  unstored: Occurrence[];
  truncated: boolean;
}
/** A record comes with its whole life. Runs, leads, locations and keys are named, and their pages tell the rest. */
export type SearchHit =
  | { kind: RecordKind; matchedBy: MatchedBy; record: RecordDetail }
  | {
      kind: "runs" | "leads" | "locations" | "api-keys";
      matchedBy: MatchedBy;
      uuid: Uuid;
      title: string;
      subtitle: string;
    };

export interface LeadsQuery extends CursorQuery {
  state?: "accepted" | "quarantined";
  /** only: leads that repeat an earlier one; hide: without them. */
  duplicates?: "only" | "hide";
  location?: Uuid;
  from?: Timestamp;
  to?: Timestamp;
  /** In e-mail, name, company, phone or notes. Case-insensitive. */
  text?: string;
}
export interface LeadRow {
  uuid: Uuid;
  email: string;
  firstName: string | null;
  lastName: string | null;
  companyName: string | null;
  phone: string | null;
  location: { uuid: Uuid; name: string };
  source: string | null;
  state: "accepted" | "quarantined";
  duplicateOf: Uuid | null;
  createdAt: Timestamp;
}
export interface LeadDetail extends LeadRow {
  estimatedStartDate: Timestamp | null;
  estimatedStartDateString: string | null;
  sourceDetails: string | null;
  notes: string | null;
  formName: string | null;
  slug: string | null;
  referrerUrl: string | null;
  metadata: ExactJson | null;
  captchaType: string | null;
  captchaResult: ExactJson | null;
  apiKey: { uuid: Uuid; name: string; prefix: string } | null;
  address: string;
  userAgent: string | null;
  /** Other leads of the same e-mail, newest first, at most 20. */
  others: LeadRow[];
}
/** Takes a lead out of quarantine, or puts it there. */
export interface ChangeLeadRequest {
  state: "accepted" | "quarantined";
}
