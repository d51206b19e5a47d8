import { Button, Group } from "@mantine/core";
import { ImportResource, reasons, RunStatus } from "@gatehouse-parking/contract";
import type { RunSummary } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { Slot } from "../features.js";
import { choice, utcDays, type Filter } from "../lists/filters.js";
import { List, useList, type ListDefinition } from "../lists/list.js";
import { resourceTitle } from "../records/record-kinds.js";
import { useApiAddress } from "../session/api-address.js";
import { useMayChange } from "../session/session.js";
import { Identifier } from "../ui/copyable.js";
import { Page } from "../ui/page.js";
import { Empty } from "../ui/states.js";
import { Time } from "../ui/time.js";
import { firstImportCommand } from "./curl-commands.js";
import { ImportStatusBadge, OutcomeBar } from "./import-status.js";

const list: ListDefinition<"listRuns"> = {
  route: "listRuns",
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
      sort: "time",
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
    { header: "Completed", time: (run) => run.completedAt, optional: true },
    { header: "Reference", cell: (run) => <Identifier value={run.referenceUuid} />, optional: true },
  ],
};

const filters: Filter[] = [
  {
    kind: "choice",
    name: "resource",
    label: "Resource",
    isNumber: true,
    choices: Object.values(ImportResource).map((resource) => ({
      value: String(resource),
      label: resourceTitle(resource),
    })),
  },
  {
    kind: "choice",
    name: "status",
    label: "Status",
    isNumber: true,
    choices: [
      { value: String(RunStatus.Completed), label: "Completed" },
      { value: String(RunStatus.PartialSuccess), label: "Partial success" },
      { value: String(RunStatus.Failed), label: "Failed" },
    ],
  },
  choice("having", "With records", { created: "Created", skipped: "Skipped", failed: "Failed" }),
  {
    kind: "choice",
    name: "reason",
    label: "Reason",
    isNumber: true,
    choices: reasons.map(({ code, name }) => ({ value: String(code), label: name })),
  },
];

export default function ImportsPage() {
  const api = useApiAddress();
  const keys = useApi("listApiKeys").data?.data ?? [];
  const mayChange = useMayChange();
  const choices = keys.map((key) => ({ value: key.uuid, label: key.name }));
  const keyFilter: Filter = { kind: "choice", name: "apiKey", label: "API key", searchable: true, choices };
  const found = useList(list, { filters: [...filters, keyFilter, ...utcDays] });
  return (
    <Page title="Import runs" description="Every batch that was accepted.">
      <List
        found={found}
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
