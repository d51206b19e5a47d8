import type { ReactNode } from "react";
import { pluralize } from "../../core/ui/format.js";

export const texts = {
  title: "Overview",
  timeRange: "Time range",
  ranges: { day: "24 hours", week: "7 days", month: "30 days", quarter: "90 days" },
  outcomes: {
    title: "Records by outcome",
    chart: (counts: string) => `Records by outcome over time: ${counts}`,
    imports: "Imports",
    created: "Created",
    skipped: "Skipped",
    failed: "Failed",
    undone: "Undone",
  },
  reasons: {
    title: "Top reasons",
    description: "Why records were skipped or failed in the last 7 days.",
    all: "All imports",
    none: "No records were skipped or failed.",
    statuses: { skipped: "skipped", failed: "failed" },
    seen: (imports: number, last: ReactNode) => (
      <>
        In {pluralize(imports, "import")}, last {last}
      </>
    ),
  },
  localDays: {
    title: "Transactions and revenue by local day",
    transactions: "Transactions",
    revenue: "Revenue",
    refunded: "Refunded",
    lastDays: "last 30 days",
    month: (from: string, to: string) => `${from} to ${to}`,
    ofLocation: (period: string, unusual: string) =>
      `Days in this location's time zone, ${period}.${unusual}`,
    ofAll: (period: string) =>
      `Days in the time zone of each location, ${period}. Select a location to see hours.`,
    unusualDay: (date: string, hours: number | null) => ` ${date} has ${hours} hours.`,
    dayWithHours: (date: string, hours: number) => `${date} (${hours} hours)`,
    monthFilter: "Month",
    noMonth: "Last 30 days",
    locationFilter: "Location",
    noLocation: "All locations",
    dayFilter: "Day",
    noDay: "Hours of a day",
    currencies:
      "Your locations use different currencies, so their revenue is not added up. Select a location to see its revenue.",
    chart: (transactions: number, revenue: string | null) =>
      `By local day: ${pluralize(transactions, "transaction")}${revenue === null ? "" : `, revenue ${revenue}`}`,
    hours: (date: string, timeZone: string, hours: number) => `${date} in ${timeZone}: ${hours} hours.`,
    hoursChart: (transactions: number, date: string) =>
      `${pluralize(transactions, "transaction")} by hour on ${date}`,
  },
  firstSteps: {
    title: "First steps",
    done: (done: number, all: number) => `${done} of ${all} done`,
    hide: "Hide",
    isDone: "Done:",
    names: {
      location: "Add a location",
      apiKey: "Create an API key",
      record: "Import the first records",
      member: "Invite a member",
    },
    help: {
      location: "Every transaction and lead belongs to one.",
      apiKey: "For your back end or your web form.",
      record: "Send them with the API key, or upload a file.",
      member: "Someone who works with you.",
    },
  },
  nothingImported: {
    title: "Nothing has been imported yet",
    text: "Batches that your systems send appear here.",
  },
  timeZoneWarning: {
    title: (location: string) => `Possible time zone error: ${location}`,
    uploaded: "Uploaded in the console.",
    sentWith: (key: ReactNode) => <>Sent with the API key {key}.</>,
    examples: "For example:",
  },
  limits: {
    title: "Rate limits",
    description: "Requests in the current window, across all API keys.",
    perAddress: (rate: string) => `${rate} for each address`,
    used: (used: number, rate: string) => `${used.toLocaleString("en")} of ${rate}`,
    bar: (operation: string, used: number, limit: number) => `${operation}: ${used} of ${limit}`,
  },
  usage: {
    title: "Usage by API key",
    description: "Requests in the last 24 hours.",
    key: "API key",
    prefix: "Prefix",
    operation: "Operation",
    accepted: "Accepted",
    rejected: "Rejected",
    limited: "Rate limited",
    none: "No API key has been used.",
  },
  keyUsage: {
    title: "Usage",
    description: "Requests by result. All API keys share the limits of the organization.",
    none: "Not used in this period.",
    chart: (counts: string) => `Requests over time: ${counts}`,
    counts: (accepted: number, limited: number, rejected: number) =>
      `${accepted} accepted, ${limited} rate limited, ${rejected} rejected`,
    byOperation: "Usage by operation",
    notLogged: (count: number) =>
      `${pluralize(count, "request")} in this period ${count === 1 ? "is" : "are"} counted here but not in the request log: of many identical rejections within seconds, only some are logged.`,
    share: "Share of all keys",
    busiest: "Of the limit, busiest hour",
    byAddress: "per address",
  },
};
