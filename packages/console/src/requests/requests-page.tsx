import { errors, operationNames } from "@gatehouse-parking/contract";
import { requestOutcomes, type RequestsQuery } from "@gatehouse-parking/contract/console";
import { useApi } from "../api/queries.js";
import { DateFilter, Filters, SelectFilter, TextFilter } from "../ui/filters.js";
import { Freshness } from "../ui/freshness.js";
import { CursorList } from "../ui/list.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import { keyColumn, requestColumns } from "./request-columns.js";

const outcomeLabels: Record<(typeof requestOutcomes)[number], string> = {
  accepted: "Accepted (2xx)",
  error: "Any error (4xx, 5xx)",
  limited: "Over the limit (429)",
  refused: "Refused (any other error)",
  failed: "Failed (5xx)",
  unanswered: "Client gone",
};
const columns = [...requestColumns.slice(0, 1), keyColumn, ...requestColumns.slice(1)];

/** Every request with a key of the organization, refused ones included. */
export default function RequestsPage() {
  const { params } = useQueryState();
  const keys = useApi("listApiKeys");
  const isNewest = !params.has("before") && !params.has("after");
  const requests = useApi("listRequests", { query: readQuery(params), live: isNewest });
  const isFiltered = [...params.keys()].length > 0;
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
      <CursorList
        label="Requests"
        query={requests}
        columns={columns}
        rowKey={(request) => request.uuid}
        empty={
          isFiltered ? (
            <Empty title="No requests match these filters">
              Widen the dates or clear a filter. Older requests may still match: see below.
            </Empty>
          ) : (
            <Empty title="No requests yet">
              Requests appear here a few seconds after they are answered, refused ones included.
            </Empty>
          )
        }
      />
    </Page>
  );
}

function describe(days: number, rows: number): string {
  if (days === 0) return "The operator of this service has switched the log of requests off.";
  return `What was sent with your keys, refused requests included, newest first. Kept for ${days} days, at most ${rows.toLocaleString("en")} requests. Bodies are never logged.`;
}

const dayMs = 86_400_000;

/** Days of the address are UTC days; the last one is meant whole. */
function readQuery(params: URLSearchParams): RequestsQuery {
  const given = Object.fromEntries(
    ["apiKey", "outcome", "operation", "reason", "requestId", "before", "after"].flatMap((name) => {
      const value = params.get(name);
      return value ? [[name, value]] : [];
    }),
  );
  const from = params.get("from");
  const to = params.get("to");
  return {
    ...given,
    ...(from ? { from: `${from}T00:00:00.000Z` } : {}),
    ...(to ? { to: new Date(Date.parse(to) + dayMs).toISOString() } : {}),
  };
}
