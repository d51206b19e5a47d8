import type { RequestsQuery } from "@gatehouse-parking/contract/console";

export const texts = {
  title: "Requests",
  description: "Requests sent with your API keys.",
  kept: (days: number, rows: number) =>
    `Requests sent with your API keys, including rejected ones. Kept for ${days} days, up to ${rows.toLocaleString("en")} requests. Bodies are never logged.`,
  off: "The operator of this service has turned the request log off.",
  columns: {
    answered: "Answered",
    key: "API key",
    operation: "Operation",
    status: "Status",
    reason: "Reason",
    import: "Import",
    showImport: "Show the import",
    show: "Show",
    size: "Size",
    duration: "Duration",
    requestId: "Request ID",
    copyRequestId: "Copy request ID",
    noAnswer: "no response",
    clientGone: "The client disconnected before the response.",
  },
  outcomes: {
    accepted: "Accepted (2xx)",
    error: "Any error (4xx, 5xx)",
    limited: "Rate limited (429)",
    refused: "Rejected (other errors)",
    failed: "Server error (5xx)",
    unanswered: "Client disconnected",
  } satisfies Record<NonNullable<RequestsQuery["outcome"]>, string>,
  hint: "Change the dates or clear a filter. Older requests may still match. Go to the older pages below.",
  empty: {
    title: "No requests yet",
    text: "Requests, including rejected ones, appear here a few seconds after they are answered.",
    trySandbox: "Try the API in the sandbox",
    showKeys: "Show the API keys",
  },
  keyPage: {
    lastErrors: "Last errors",
    allErrors: "All errors",
    noErrors: "The request log has no rejected requests with this key.",
    allRequests: "All requests",
    noRequests: "Requests appear here a few seconds after they are answered.",
  },
};
