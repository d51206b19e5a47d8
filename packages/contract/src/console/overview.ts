import type { OperationName } from "../index.js";
import type { Decimal, LocalDate, Timestamp, Uuid } from "./common.js";

/** At most 31 days by hour, 366 by day. Absent: the last 24 hours by hour. Buckets are UTC hours or days. */
export interface OutcomesQuery {
  from?: Timestamp;
  to?: Timestamp;
  bucket?: "hour" | "day";
}
export interface Outcomes {
  bucket: "hour" | "day";
  from: Timestamp;
  to: Timestamp;
  /** Every bucket of the range, empty ones included. */
  buckets: { start: Timestamp; runs: number; created: number; skipped: number; failed: number }[];
}

/** At most 92 days; absent: the last 7. */
export interface ReasonsQuery {
  from?: Timestamp;
  to?: Timestamp;
}
export interface TopReasons {
  from: Timestamp;
  to: Timestamp;
  /** Most frequent first. */
  data: {
    reasonCode: number;
    name: string;
    meaning: string;
    advice: string;
    status: 3 | 4;
    count: number;
    runs: number;
    lastSeenAt: Timestamp;
  }[];
  /** True if the range holds more runs than are counted (500,000); the newest were. */
  truncated: boolean;
}

/** At most 366 days; absent: the last 30, up to today at the location. `location` absent: all, each by its own calendar. */
export interface LocalDaysQuery {
  fromDate?: LocalDate;
  toDate?: LocalDate;
  location?: Uuid;
}
export interface LocalDays {
  fromDate: LocalDate;
  toDate: LocalDate;
  /** Every date of the range, empty ones included. */
  days: LocalDay[];
}
export interface LocalDay {
  date: LocalDate;
  transactions: number;
  /** Sum of amountTotal of records that are no refunds. */
  revenue: Decimal;
  /** Sum of amountTotal of records that are refunds. */
  refunded: Decimal;
  /** 23, 24 or 25 (or 23.5 and the like) hours by the location's zone; null without `location`. */
  hours: number | null;
}

/** The hours of one day at one location, by its wall clock. */
export interface LocalHoursQuery {
  location: Uuid;
  date: LocalDate;
}
export interface LocalHours {
  date: LocalDate;
  timeZone: string;
  /** In order of time: 23, 24 or 25 of them. Of the two 01:00 in autumn, `utcOffset` tells which. */
  hours: {
    /** 01:00. */
    label: string;
    /** -04:00. */
    utcOffset: string;
    startsAt: Timestamp;
    transactions: number;
    revenue: Decimal;
    refunded: Decimal;
  }[];
}

export interface LimitUse {
  data: {
    operation: OperationName;
    method: string;
    path: string;
    per: "organization" | "address";
    limit: number;
    windowSeconds: number;
    /** Requests within the window now; null for limits by address, which no organization owns. */
    used: number | null;
    remaining: number | null;
    /** When the next request leaves the window. */
    resetAt: Timestamp | null;
  }[];
}

/** At most 31 days; absent: the last 24 hours. */
export interface KeyUseQuery {
  from?: Timestamp;
  to?: Timestamp;
}
export interface KeyUse {
  from: Timestamp;
  to: Timestamp;
  data: {
    apiKeyUuid: Uuid;
    name: string;
    prefix: string;
    operation: OperationName | (string & {});
    hour: Timestamp;
    accepted: number;
    limited: number;
  }[];
}

/** Locations whose times look like local times sent with a Z. */
export interface ClockWarnings {
  data: {
    locationUuid: Uuid;
    name: string;
    timeZone: string;
    /** future: dated after they arrived. shifted: a busy night and no one by day, unless the times are read as local ones. */
    sign: "future" | "shifted";
    /** Transactions looked at, and how many show the sign. */
    sampled: number;
    suspicious: number;
    /** A sentence for people. */
    explanation: string;
    /** Up to three transactions to look at. */
    examples: { uuid: Uuid; transactionId: string; transactionDate: Timestamp; receivedAt: Timestamp }[];
  }[];
}
