import { Button, Group } from "@mantine/core";
import { ImportResource, reasons, RunStatus } from "@gatehouse-parking/contract";
import type { RunsQuery, RunSummary } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { Slot } from "../features.js";
import { DataList } from "../lists/data-list.js";
import { byTime, type ListDefinition } from "../lists/list-definition.js";
import { readNamed, readUtcDays } from "../lists/list-state.js";
import { resourceTitle } from "../records/record-kinds.js";
import { useApiAddress } from "../session/api-address.js";
import { useMayChange } from "../session/session.js";
import { Identifier } from "../ui/copyable.js";
import { DateFilter, Filters, SelectFilter } from "../ui/filters.js";
import { Page } from "../ui/page.js";
import { useQueryState } from "../ui/query-state.js";
import { Empty } from "../ui/states.js";
import { Time } from "../ui/time.js";
import { firstImportCommand } from "./curl-commands.js";
import { ImportStatusBadge, OutcomeBar } from "./import-status.js";

const list: ListDefinition<RunSummary> = {
  name: "runs",
  label: "Import runs",
  rowKey: (run) => run.referenceUuid,
  href: (run) => `/imports/${run.referenceUuid}`,
  usualSort: "newest",
  exported: { route: "downloadRuns" },
  columns: [
    {
      header: "Started",
      cell: (run) => (
        <Link href={`/imports/${run.referenceUuid}`}>
          <Time value={run.startedAt} />
        </Link>
      ),
      sort: byTime,
    },
    { header: "Resource", cell: (run) => resourceTitle(run.resource) },
    {
      header: "Status",
      cell: (run) => <StatusOrUndone run={run} />,
      from: "tablet",
    },
    { header: "Outcome", cell: (run) => <OutcomeBar run={run} />, from: "tablet" },
    { header: "Records", cell: (run) => run.totalSubmitted, align: "right" },
    { header: "Created", cell: (run) => run.successCount, align: "right", optional: true },
    { header: "Skipped", cell: (run) => run.skippedCount, align: "right", optional: true },
    { header: "Failed", cell: (run) => run.failedCount, align: "right" },
    { header: "Duration", cell: (run) => `${run.durationMs} ms`, align: "right", from: "desktop" },
    { header: "Key", cell: (run) => run.apiKey?.name ?? "Console", from: "desktop" },
    { header: "Completed", cell: (run) => <Time value={run.completedAt} />, optional: true },
    { header: "Reference", cell: (run) => <Identifier value={run.referenceUuid} />, optional: true },
  ],
};

export default function ImportsPage() {
  const api = useApiAddress();
  const { params } = useQueryState();
  const keys = useApi("listApiKeys");
  const mayChange = useMayChange();
  const listQuery = readQuery(params);
  const runs = useApi("listRuns", { query: listQuery });
  return (
    <Page title="Import runs" description="Every batch that was accepted.">
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
      <DataList
        list={list}
        query={runs}
        listQuery={listQuery}
        hint="Widen the dates or clear a filter. Older runs may still match: see below."
        empty={
          <Empty
            title="Nothing has been imported yet"
            command={firstImportCommand(api, "accounts")}
            action={mayChange ? <FirstImport /> : null}
          >
            Create an API key under Organization Settings, then send the first batch:
          </Empty>
        }
      />
    </Page>
  );
}

function StatusOrUndone({ run }: { run: RunSummary }) {
  const status = <ImportStatusBadge status={run.status} />;
  return run.undone ? <Slot name="undoneBadge" props={{}} fallback={status} /> : status;
}

function FirstImport() {
  return (
    <Group gap="xs">
      <Button component={Link} href="/settings/api-keys">
        Create an API key
      </Button>
      <Slot name="firstImport" props={{ variant: "default" }} />
    </Group>
  );
}

function readQuery(params: URLSearchParams): RunsQuery {
  const resource = Number(params.get("resource")) as ImportResource;
  const status = Number(params.get("status")) as RunStatus;
  const reason = Number(params.get("reason"));
  return {
    ...(resource ? { resource } : {}),
    ...(status ? { status } : {}),
    ...(reason ? { reason } : {}),
    ...(readNamed(params, ["having", "apiKey", "sort", "before", "after"]) as Partial<RunsQuery>),
    ...readUtcDays(params),
  };
}
