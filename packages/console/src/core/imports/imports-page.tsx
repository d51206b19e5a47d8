import { Button, Group } from "@mantine/core";
import { ImportResource, reasons, RunStatus } from "@gatehouse-parking/contract";
import type { RunSummary } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { Slot } from "../features.js";
import { choice, utcDays, type Filter } from "../lists/filters.js";
import { List, type ListDefinition } from "../lists/list.js";
import { useLiveList } from "../lists/live-list.js";
import { resourceTitle } from "../records/record-kinds.js";
import { useApiAddress } from "../session/api-address.js";
import { useMayChange } from "../session/session.js";
import { Identifier } from "../ui/copyable.js";
import { Page } from "../ui/page.js";
import { Empty } from "../ui/states.js";
import { Time } from "../ui/time.js";
import { firstImportCommand } from "./curl-commands.js";
import { ImportStatusBadge, OutcomeBar } from "./import-status.js";
import { texts } from "./texts.js";

/** A file with several imports opens to them. */
function hrefOf({ referenceUuid, file }: RunSummary): string {
  return file && file.runs > 1 ? `/imports?file=${file.referenceUuid}` : `/imports/${referenceUuid}`;
}

const list: ListDefinition<"listRuns"> = {
  route: "listRuns",
  name: "runs",
  label: texts.list.title,
  rowKey: (run) => run.referenceUuid,
  href: hrefOf,
  usualSort: "newest",
  exported: { route: "downloadRuns" },
  columns: [
    {
      header: texts.list.started,
      cell: (run) => (
        <Link href={hrefOf(run)}>
          <Time value={run.startedAt} withZone={false} />
        </Link>
      ),
      time: (run) => run.startedAt,
      sort: "time",
    },
    { header: texts.list.resource, cell: (run) => resourceTitle(run.resource) },
    {
      header: texts.list.file,
      cell: (run) => (run.file ? texts.list.fileOf(run.file.name, run.file.runs) : ""),
      from: "tablet",
      breakable: true,
    },
    {
      header: texts.list.status,
      cell: (run) => <StatusOrUndone run={run} />,
      from: "tablet",
    },
    { header: texts.list.outcome, cell: (run) => <OutcomeBar run={run} />, from: "tablet" },
    { header: texts.list.records, cell: (run) => run.totalSubmitted, align: "right" },
    { header: texts.outcomes.created, cell: (run) => run.successCount, align: "right", optional: true },
    { header: texts.outcomes.skipped, cell: (run) => run.skippedCount, align: "right", optional: true },
    { header: texts.outcomes.failed, cell: (run) => run.failedCount, align: "right" },
    { header: texts.list.duration, cell: (run) => `${run.durationMs} ms`, align: "right", from: "desktop" },
    { header: texts.list.apiKey, cell: (run) => run.apiKey?.name ?? texts.list.fromConsole, from: "desktop" },
    { header: texts.statuses.completed, time: (run) => run.completedAt, optional: true },
    { header: texts.list.reference, cell: (run) => <Identifier value={run.referenceUuid} />, optional: true },
  ],
};

const filters: Filter[] = [
  {
    kind: "choice",
    name: "resource",
    label: texts.list.resource,
    isNumber: true,
    choices: Object.values(ImportResource).map((resource) => ({
      value: String(resource),
      label: resourceTitle(resource),
    })),
  },
  {
    kind: "choice",
    name: "status",
    label: texts.list.status,
    isNumber: true,
    choices: [
      { value: String(RunStatus.Completed), label: texts.statuses.completed },
      { value: String(RunStatus.PartialSuccess), label: texts.statuses.partialSuccess },
      { value: String(RunStatus.Failed), label: texts.statuses.failed },
    ],
  },
  { kind: "link", name: "file", label: texts.list.filters.file },
  choice("having", texts.list.filters.outcome, texts.outcomes),
  {
    kind: "choice",
    name: "reason",
    label: texts.list.filters.reason,
    isNumber: true,
    choices: reasons.map(({ code, name }) => ({ value: String(code), label: name })),
  },
];

export default function ImportsPage() {
  const api = useApiAddress();
  const keys = useApi("listApiKeys").data?.data ?? [];
  const mayChange = useMayChange();
  const choices = keys.map((key) => ({ value: key.uuid, label: key.name }));
  const keyFilter: Filter = {
    kind: "choice",
    name: "apiKey",
    label: texts.details.apiKey,
    searchable: true,
    choices,
  };
  const { found, freshness } = useLiveList(list, { filters: [...filters, keyFilter, utcDays] });
  const isEmpty = !found.isFiltered && found.answer.data?.data.length === 0;
  return (
    <Page title={texts.list.title} description={texts.list.description} actions={freshness}>
      <List
        found={found}
        hint={texts.list.hint}
        empty={
          <Empty
            title={texts.list.empty.title}
            command={firstImportCommand(api, "accounts")}
            action={mayChange ? <FirstImport /> : null}
          >
            {texts.list.empty.text}
          </Empty>
        }
      />
      {isEmpty ? <Slot name="firstSteps" props={{}} /> : null}
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
        {texts.list.empty.createKey}
      </Button>
      <Slot name="firstImport" props={{ variant: "default" }} />
    </Group>
  );
}
