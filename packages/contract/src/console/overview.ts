import type { Static } from "typebox";
import { Type } from "../schema/type.js";
import { wireTimestamp } from "../schema/answers.js";
import { uuid } from "../schema/fields.js";
import { organization, type ConsoleOperation } from "./declare.js";
import { count, decimal, localDate, moment, nullable, oneOfNumbers, word } from "./fields.js";
import { KeyShown } from "./runs.js";

const range = { from: Type.Optional(moment()), to: Type.Optional(moment()) };
const answeredRange = { from: wireTimestamp(), to: wireTimestamp() };
const bucket = () => word(["hour", "day"]);

export const Outcomes = Type.Object(
  {
    bucket: bucket(),
    ...answeredRange,
    buckets: Type.Array(
      Type.Object({
        start: wireTimestamp(),
        runs: count(),
        created: count("Without records that an undo deleted."),
        takenBack: count("Created records that an undo deleted."),
        skipped: count(),
        failed: count(),
      }),
      { description: "Every bucket of the range, including empty ones." },
    ),
  },
  { $id: "Outcomes" },
);
export type Outcomes = Static<typeof Outcomes>;

export const TopReasons = Type.Object(
  {
    ...answeredRange,
    data: Type.Array(
      Type.Object({
        reasonCode: Type.Integer(),
        name: Type.String(),
        meaning: Type.String(),
        advice: Type.String(),
        status: oneOfNumbers([3, 4]),
        count: count(),
        runs: count(),
        lastSeenAt: wireTimestamp(),
      }),
      { description: "Most frequent first." },
    ),
    truncated: Type.Boolean({
      description: "True if the range has more than 500,000 runs; only the newest are counted.",
    }),
  },
  { $id: "TopReasons" },
);
export type TopReasons = Static<typeof TopReasons>;

const sums = {
  transactions: count(),
  revenue: decimal("Sum of amountTotal of records that are not refunds."),
  refunded: decimal("Sum of amountTotal of records that are refunds."),
};

export const LocalDay = Type.Object(
  {
    date: localDate(),
    transactions: sums.transactions,
    revenue: nullable(sums.revenue),
    refunded: nullable(sums.refunded),
    hours: nullable(
      Type.Number({
        description:
          "Usually 24; 23, 25 or a fraction on days when the location's clocks change; null without a location.",
      }),
    ),
  },
  { $id: "LocalDay" },
);
export type LocalDay = Static<typeof LocalDay>;

export const LocalDays = Type.Object(
  {
    fromDate: localDate(),
    toDate: localDate(),
    days: Type.Array(LocalDay, { description: "Every date of the range, including empty ones." }),
    isWithoutAmounts: Type.Boolean({
      description: "No location was given, and the organization's locations use different currencies.",
    }),
  },
  { $id: "LocalDays" },
);
export type LocalDays = Static<typeof LocalDays>;

export const LocalHours = Type.Object(
  {
    date: localDate(),
    timeZone: Type.String(),
    hours: Type.Array(
      Type.Object({
        label: Type.String({ examples: ["01:00"] }),
        utcOffset: Type.String({ examples: ["-04:00"] }),
        startsAt: wireTimestamp(),
        ...sums,
      }),
      {
        description:
          "In chronological order: 23, 24 or 25 of them. utcOffset distinguishes the two 01:00 hours in autumn.",
      },
    ),
  },
  { $id: "LocalHours" },
);
export type LocalHours = Static<typeof LocalHours>;

export const ClockWarnings = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        locationUuid: uuid(),
        name: Type.String(),
        timeZone: Type.String(),
        apiKey: Type.Union([KeyShown, Type.Null()], {
          description: "The key that sends them; null: uploaded in the console.",
        }),
        sign: word(
          ["future", "shifted"],
          "future: dated after they arrived. shifted: busy at night and empty by day, unless the times are read as local times.",
        ),
        sampled: count("Transactions looked at."),
        suspicious: count("Transactions that match the sign."),
        explanation: Type.String({ description: "An explanation in one sentence." }),
        examples: Type.Array(
          Type.Object({
            uuid: uuid(),
            transactionId: Type.String(),
            transactionDate: wireTimestamp(),
            receivedAt: wireTimestamp(),
          }),
          { description: "Up to three example transactions." },
        ),
      }),
    ),
  },
  {
    $id: "ClockWarnings",
    description: "Keys and locations whose times look like local times sent with a Z.",
  },
);
export type ClockWarnings = Static<typeof ClockWarnings>;

export const FirstSteps = Type.Object(
  {
    location: Type.Boolean({ description: "It has a location." }),
    apiKey: Type.Boolean({ description: "It has a key that can be used." }),
    record: Type.Boolean({ description: "It has an import or a lead." }),
    member: Type.Boolean({ description: "Someone else is a member or has been invited." }),
  },
  { $id: "FirstSteps", description: "Which first steps an organization has done." },
);
export type FirstSteps = Static<typeof FirstSteps>;

export const overviewOperations = {
  getFirstSteps: {
    method: "GET",
    path: `${organization}/overview/first-steps`,
    role: "viewer",
    summary: "Get which first steps of an organization are done",
    answer: FirstSteps,
  },
  getOutcomes: {
    method: "GET",
    path: `${organization}/overview/outcomes`,
    role: "viewer",
    summary: "Get the records by outcome over time",
    description:
      "At most 31 days by hour, 366 by day; the last 24 hours by hour by default. Buckets are UTC hours or days.",
    query: Type.Object({ ...range, bucket: Type.Optional(bucket()) }),
    answer: Outcomes,
  },
  getTopReasons: {
    method: "GET",
    path: `${organization}/overview/reasons`,
    role: "viewer",
    summary: "Get the most frequent reasons of skipped and failed records",
    description: "At most 92 days; the last 7 by default.",
    query: Type.Object(range),
    answer: TopReasons,
  },
  getLocalDays: {
    method: "GET",
    path: `${organization}/overview/local-days`,
    role: "viewer",
    summary: "Get the transactions by local day",
    description:
      "At most 366 days; by default the last 30, up to today at the location. Without a location: all locations, each by its local calendar.",
    query: Type.Object({
      fromDate: Type.Optional(localDate()),
      toDate: Type.Optional(localDate()),
      location: Type.Optional(uuid()),
    }),
    answer: LocalDays,
  },
  getLocalHours: {
    method: "GET",
    path: `${organization}/overview/local-hours`,
    role: "viewer",
    summary: "Get the hours of one day at one location, in local time",
    query: Type.Object({ location: uuid(), date: localDate() }),
    answer: LocalHours,
  },
  getClockWarnings: {
    method: "GET",
    path: `${organization}/overview/clock-warnings`,
    role: "viewer",
    summary: "List keys and locations whose times look like local times sent with a Z",
    answer: ClockWarnings,
  },
} as const satisfies Record<string, ConsoleOperation>;
