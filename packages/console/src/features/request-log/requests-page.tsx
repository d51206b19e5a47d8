import { Badge, Button } from "@mantine/core";
import { errors, operationNames } from "@gatehouse-parking/contract";
import type { LoggedRequest, RequestsQuery } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { useHasFeature } from "../../core/features.js";
import { choice, utcDays, type Filter } from "../../core/lists/filters.js";
import { List, useList, type ListDefinition } from "../../core/lists/list.js";
import { useOrganization } from "../../core/session/session.js";
import { Identifier } from "../../core/ui/copyable.js";
import { Freshness, Page } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Empty } from "../../core/ui/states.js";
import type { Column } from "../../core/ui/table.js";
import styles from "./request-log.module.css";

const bytesOfKilobyte = 1_024;

export const requestColumns: Column<LoggedRequest>[] = [
  { header: "Answered", time: (request) => request.at, sort: "time" },
  { header: "Operation", cell: (request) => request.operation },
  { header: "Status", cell: (request) => <Status request={request} /> },
  { header: "Reason", cell: (request) => <Reason request={request} />, wrap: true },
  {
    header: "Run",
    cell: (request) =>
      request.referenceUuid === null ? null : (
        <Link href={`/imports/${request.referenceUuid}`} aria-label="Show the run">
          Show
        </Link>
      ),
  },
  {
    header: "Size",
    cell: ({ bodyBytes }) => formatSize(bodyBytes),
    align: "right",
    from: "desktop",
    optional: true,
  },
  {
    header: "Duration",
    cell: ({ durationMs }) => (durationMs === null ? "–" : `${Math.round(durationMs)} ms`),
    align: "right",
    from: "tablet",
  },
  {
    header: "Request ID",
    cell: ({ requestId }) => <Identifier value={requestId} label="Copy request ID" />,
    grow: true,
    from: "desktop",
  },
];

const keyColumn: Column<LoggedRequest> = {
  header: "Key",
  cell: ({ apiKey }) => (
    <Link href={`/settings/api-keys/${apiKey.uuid}`}>{apiKey.name || `${apiKey.prefix}…`}</Link>
  ),
  from: "tablet",
};

function Status({ request: { status } }: { request: LoggedRequest }) {
  if (status === null) return <Badge color="gray">no answer</Badge>;
  return <Badge color={colorOf(status)}>{status}</Badge>;
}

function colorOf(status: number): string {
  if (status < 400) return "teal";
  if (status === 429) return "yellow";
  return "red";
}

function Reason({ request: { status, reason } }: { request: LoggedRequest }) {
  if (status === null) return <>The client went away before its answer.</>;
  if (reason === null) return null;
  const known = reason in errors ? errors[reason as keyof typeof errors] : undefined;
  return (
    <>
      <span className="monospace">{reason}</span>
      {known ? <span className={styles.meaning}>{known.message}</span> : null}
    </>
  );
}

function formatSize(bytes: number | null): string {
  if (bytes === null) return "–";
  if (bytes < bytesOfKilobyte) return `${bytes} B`;
  return `${Math.round(bytes / bytesOfKilobyte).toLocaleString("en")} KB`;
}

const outcomeLabels: Record<NonNullable<RequestsQuery["outcome"]>, string> = {
  accepted: "Accepted (2xx)",
  error: "Any error (4xx, 5xx)",
  limited: "Over the limit (429)",
  refused: "Refused (any other error)",
  failed: "Failed (5xx)",
  unanswered: "Client gone",
};
const [first, ...others] = requestColumns as [Column<LoggedRequest>, ...Column<LoggedRequest>[]];
const list: ListDefinition<"listRequests"> = {
  route: "listRequests",
  name: "requests",
  label: "Requests",
  columns: [first, keyColumn, ...others],
  rowKey: (request) => request.uuid,
  usualSort: "newest",
  exported: { route: "downloadRequests" },
};
const filters: Filter[] = [
  choice("outcome", "Status", outcomeLabels),
  choice("operation", "Operation", Object.fromEntries(operationNames.map((name) => [name, name]))),
  {
    kind: "choice",
    name: "reason",
    label: "Reason",
    searchable: true,
    choices: Object.keys(errors).map((name) => ({ value: name, label: name })),
  },
  ...utcDays,
  { kind: "text", name: "requestId", label: "Request ID" },
];

/** All requests with a key of the organization, including refused ones. */
export default function RequestsPage() {
  const { params } = useQueryState();
  const keys = useApi("listApiKeys").data?.data ?? [];
  const choices = keys.map(({ uuid, name, prefix }) => ({ value: uuid, label: `${name} (${prefix}…)` }));
  const keyFilter: Filter = { kind: "choice", name: "apiKey", label: "API key", searchable: true, choices };
  const isNewest = !params.has("before") && !params.has("after") && !params.has("sort");
  const found = useList(list, { filters: [keyFilter, ...filters], live: isNewest });
  const { answer } = found;
  const { isDemo } = useOrganization();
  const hasSandbox = useHasFeature("sandbox") && isDemo;
  return (
    <Page
      title="Requests"
      description={
        answer.data ? describe(answer.data.keptDays, answer.data.keptRows) : "What was sent with your keys."
      }
      actions={<Freshness query={answer} />}
    >
      <List
        found={found}
        hint="Widen the dates or clear a filter. Older requests may still match: see below."
        empty={
          <Empty
            title="No requests yet"
            action={
              <Button component={Link} href={hasSandbox ? "/sandbox" : "/settings/api-keys"}>
                {hasSandbox ? "Try the interface in the sandbox" : "Show the keys"}
              </Button>
            }
          >
            Requests appear here a few seconds after they are answered, refused ones included.
          </Empty>
        }
      />
    </Page>
  );
}

function describe(days: number, rows: number): string {
  if (days === 0) return "The operator of this service has switched the log of requests off.";
  return `What was sent with your keys, refused requests included. Kept for ${days} days, at most ${rows.toLocaleString("en")} requests. Bodies are never logged.`;
}
