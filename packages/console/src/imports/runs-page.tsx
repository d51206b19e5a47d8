import { ImportResource, reasons, RunStatus } from "@gatehouse-parking/contract";
import type { RunSummary } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { useInterface } from "../session/origin.js";
import { Filters, DateFilter, SelectFilter } from "../ui/filters.js";
import { CursorList } from "../ui/list.js";
import { RunStatusBadge } from "../ui/outcome.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import type { Column } from "../ui/table.js";
import { Time } from "../ui/time.js";
import { UndoneBadge } from "../undo/undone-notice.js";
import { firstImportCommand } from "./commands.js";
import { OutcomeBar } from "./outcome-bar.js";
import { resourceTitle } from "./resources.js";

const columns: Column<RunSummary>[] = [
  {
    header: "Started",
    cell: (run) => (
      <Link href={`/imports/${run.referenceUuid}`}>
        <Time value={run.startedAt} />
      </Link>
    ),
  },
  { header: "Resource", cell: (run) => resourceTitle(run.resource) },
  {
    header: "Status",
    cell: (run) => (run.undone ? <UndoneBadge /> : <RunStatusBadge status={run.status} />),
    from: "tablet",
  },
  { header: "Outcome", cell: (run) => <OutcomeBar run={run} />, from: "tablet" },
  { header: "Records", cell: (run) => run.totalSubmitted, align: "right" },
  { header: "Failed", cell: (run) => run.failedCount, align: "right" },
  { header: "Duration", cell: (run) => `${run.durationMs} ms`, align: "right", from: "desktop" },
  { header: "Key", cell: (run) => run.apiKey?.name ?? "Console", from: "desktop" },
];

export default function RunsPage() {
  const api = useInterface();
  const { params } = useQueryState();
  const keys = useApi("listApiKeys");
  const runs = useApi("listRuns", { query: readQuery(params) });
  const isFiltered = [...params.keys()].length > 0;
  return (
    <Page title="Import runs" description="Every batch that was accepted, newest first.">
      <Filters>
        <SelectFilter
          name="resource"
          label="Resource"
          choices={Object.values(ImportResource).map((resource) => ({
            value: String(resource),
            label: resourceTitle(resource),
          }))}
        />
        <SelectFilter
          name="status"
          label="Status"
          choices={[
            { value: String(RunStatus.Completed), label: "Completed" },
            { value: String(RunStatus.PartialSuccess), label: "Partial success" },
            { value: String(RunStatus.Failed), label: "Failed" },
          ]}
        />
        <SelectFilter
          name="having"
          label="With records"
          choices={[
            { value: "created", label: "Created" },
            { value: "skipped", label: "Skipped" },
            { value: "failed", label: "Failed" },
          ]}
        />
        <SelectFilter
          name="reason"
          label="Reason"
          choices={reasons.map(({ code, name }) => ({ value: String(code), label: name }))}
        />
        <SelectFilter
          name="apiKey"
          label="API key"
          searchable
          choices={(keys.data?.data ?? []).map((key) => ({ value: key.uuid, label: key.name }))}
        />
        <DateFilter name="from" label="From" utc />
        <DateFilter name="to" label="To" utc />
      </Filters>
      <CursorList
        label="Import runs"
        query={runs}
        columns={columns}
        rowKey={(run) => run.referenceUuid}
        href={(run) => `/imports/${run.referenceUuid}`}
        empty={
          isFiltered ? (
            <Empty title="No runs match these filters">Widen the dates or clear a filter.</Empty>
          ) : (
            <Empty title="Nothing has been imported yet" command={firstImportCommand(api)}>
              Create an API key under Organization Settings, then send the first batch:
            </Empty>
          )
        }
      />
    </Page>
  );
}

const dayMs = 86_400_000;

/** Days of the address are UTC days; the last one is meant whole. */
function readQuery(params: URLSearchParams) {
  const from = params.get("from");
  const to = params.get("to");
  const resource = Number(params.get("resource")) as ImportResource;
  const status = Number(params.get("status")) as RunStatus;
  const having = params.get("having");
  const reason = Number(params.get("reason"));
  return {
    ...(resource ? { resource } : {}),
    ...(status ? { status } : {}),
    ...(having ? { having: having as "created" | "skipped" | "failed" } : {}),
    ...(reason ? { reason } : {}),
    ...(params.has("apiKey") ? { apiKey: params.get("apiKey") ?? "" } : {}),
    ...(from ? { from: `${from}T00:00:00.000Z` } : {}),
    ...(to ? { to: new Date(Date.parse(to) + dayMs).toISOString() } : {}),
    ...(params.has("before") ? { before: params.get("before") ?? "" } : {}),
  };
}
