import { Badge, Button } from "@mantine/core";
import { errors, operationNames } from "@gatehouse-parking/contract";
import { type LoggedRequest, requestOutcomes, type RequestsQuery } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { useHasFeature } from "../../core/features.js";
import { DataList } from "../../core/lists/data-list.js";
import { byTime, type ListDefinition } from "../../core/lists/list-definition.js";
import { readNamed, readUtcDays } from "../../core/lists/list-state.js";
import { useOrganization } from "../../core/session/session.js";
import { Identifier } from "../../core/ui/copyable.js";
import { DateFilter, Filters, SelectFilter, TextFilter } from "../../core/ui/filters.js";
import { Freshness, Page } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Empty } from "../../core/ui/states.js";
import type { Column } from "../../core/ui/table.js";
import { Time } from "../../core/ui/time.js";
import styles from "./request-log.module.css";

const bytesOfKilobyte = 1_024;

export const requestColumns: Column<LoggedRequest>[] = [
  { header: "Answered", cell: (request) => <Time value={request.at} /> },
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

const outcomeLabels: Record<(typeof requestOutcomes)[number], string> = {
  accepted: "Accepted (2xx)",
  error: "Any error (4xx, 5xx)",
  limited: "Over the limit (429)",
  refused: "Refused (any other error)",
  failed: "Failed (5xx)",
  unanswered: "Client gone",
};
const [first, ...others] = requestColumns as [Column<LoggedRequest>, ...Column<LoggedRequest>[]];
const list: ListDefinition<LoggedRequest> = {
  name: "requests",
  label: "Requests",
  columns: [{ ...first, sort: byTime }, keyColumn, ...others],
  rowKey: (request) => request.uuid,
  usualSort: "newest",
  exported: { route: "downloadRequests" },
};

/** All requests with a key of the organization, including refused ones. */
export default function RequestsPage() {
  const { params } = useQueryState();
  const keys = useApi("listApiKeys");
  const isNewest = !params.has("before") && !params.has("after") && !params.has("sort");
  const { isDemo } = useOrganization();
  const hasSandbox = useHasFeature("sandbox") && isDemo;
  const listQuery = readQuery(params);
  const requests = useApi("listRequests", { query: listQuery, live: isNewest });
  return (
    <Page
      title="Requests"
      description={
        requests.data
          ? describe(requests.data.keptDays, requests.data.keptRows)
          : "What was sent with your keys."
      }
      actions={<Freshness query={requests} />}
    >
      <Filters>
        <SelectFilter
          name="apiKey"
          label="API key"
          searchable
          choices={(keys.data?.data ?? []).map((key) => ({
            value: key.uuid,
            label: `${key.name} (${key.prefix}…)`,
          }))}
        />
        <SelectFilter
          name="outcome"
          label="Status"
          choices={requestOutcomes.map((outcome) => ({ value: outcome, label: outcomeLabels[outcome] }))}
        />
        <SelectFilter
          name="operation"
          label="Operation"
          choices={operationNames.map((name) => ({ value: name, label: name }))}
        />
        <SelectFilter
          name="reason"
          label="Reason"
          searchable
          choices={Object.keys(errors).map((name) => ({ value: name, label: name }))}
        />
        <DateFilter name="from" label="From" utc />
        <DateFilter name="to" label="To" utc />
        <TextFilter name="requestId" label="Request ID" />
      </Filters>
      <DataList
        list={list}
        query={requests}
        listQuery={listQuery}
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

const queryNames = [
  "apiKey",
  "outcome",
  "operation",
  "reason",
  "requestId",
  "sort",
  "before",
  "after",
] as const;

function readQuery(params: URLSearchParams): RequestsQuery {
  return { ...(readNamed(params, queryNames) as RequestsQuery), ...readUtcDays(params) };
}
