import { Badge, Group } from "@mantine/core";
import {
  maxCountedRuns,
  type HealthOrder,
  type OrganizationHealth,
} from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { ImportStatusBadge } from "../../core/imports/import-status.js";
import { Filters, SelectFilter, TextFilter } from "../../core/ui/filters.js";
import { formatBytes, pluralize } from "../../core/ui/format.js";
import { Freshness, Panel } from "../../core/ui/page.js";
import { NumberedPaging } from "../../core/ui/paging.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Empty, Failure, RowsLoading } from "../../core/ui/states.js";
import { DataTable, type Column } from "../../core/ui/table.js";
import { relativeTime, Time, useNow } from "../../core/ui/time.js";
import { Attention } from "./attention.js";
import styles from "./installation.module.css";

const refreshMs = 60_000;
const orders: { value: HealthOrder; label: string }[] = [
  { value: "attention", label: "What needs attention" },
  { value: "name", label: "Name" },
  { value: "lastRun", label: "Last run" },
  { value: "failedDay", label: "Failures, 24 hours" },
  { value: "failedWeek", label: "Failures, 7 days" },
  { value: "stored", label: "Size" },
];

const columns: Column<OrganizationHealth>[] = [
  {
    header: "Organization",
    cell: (organization) => (
      <Group gap="xs">
        <Link href={`/organizations/${organization.uuid}`}>{organization.name}</Link>
        {organization.isDemo ? <Badge color="grape">demo</Badge> : null}
      </Group>
    ),
    wrap: true,
  },
  {
    header: "Needs attention",
    cell: (organization) => <Attention organization={organization} />,
    wrap: true,
  },
  {
    header: "Last run",
    cell: ({ uuid, lastRun, lookedAt }) =>
      lastRun ? (
        <Group gap="xs">
          <ImportStatusBadge status={lastRun.status} />
          <Link href={`/organizations/${uuid}/imports/${lastRun.referenceUuid}`}>
            <Time value={lastRun.startedAt} />
          </Link>
        </Group>
      ) : lookedAt ? (
        "never"
      ) : (
        "not known yet"
      ),
    from: "tablet",
    wrap: true,
  },
  {
    header: "Failed, 24 h",
    cell: ({ day, lookedAt }) => <FailedShare span={day} isKnown={lookedAt !== null} />,
    align: "right",
  },
  {
    header: "Failed, 7 d",
    cell: ({ week, lookedAt }) => <FailedShare span={week} isKnown={lookedAt !== null} />,
    align: "right",
    from: "tablet",
  },
  {
    header: "Stored",
    cell: ({ stored }) =>
      stored ? (
        <>
          {pluralize(stored.records, "record")}
          <br />
          {formatBytes(stored.bytes)}
        </>
      ) : (
        "–"
      ),
    align: "right",
    from: "desktop",
  },
  {
    header: "Looked at",
    cell: ({ lookedAt }) => (lookedAt ? <RelativeTime value={lookedAt} /> : "–"),
    align: "right",
    from: "desktop",
  },
];

export function OrganizationList() {
  const { params } = useQueryState();
  const page = Number(params.get("page")) || 1;
  const query = params.get("query") ?? "";
  const sort = orders.find(({ value }) => value === params.get("sort"))?.value ?? "attention";
  const list = useApi("listOrganizationHealth", { query: { page, query, sort }, refetchMs: refreshMs });
  return (
    <Panel
      flush
      title="Organizations"
      description={list.data ? <FigureAge oldest={list.data.oldestLook} /> : null}
      actions={<Freshness query={list} />}
    >
      <div className={styles.filters}>
        <Filters>
          <TextFilter name="query" label="Name or UUID" />
          <SelectFilter name="sort" label="Order by attention" choices={orders} />
        </Filters>
      </div>
      {list.error ? <Failure error={list.error} retry={() => void list.refetch()} /> : null}
      {list.isPending ? <RowsLoading /> : null}
      {list.data && list.data.data.length > 0 ? (
        <DataTable
          label="Organizations"
          columns={columns}
          rows={list.data.data}
          rowKey={(organization) => organization.uuid}
          href={(organization) => `/organizations/${organization.uuid}`}
        />
      ) : null}
      {list.data?.data.length === 0 ? <NoOrganizations isFiltered={query !== ""} /> : null}
      {list.data ? <NumberedPaging page={page} totalPages={list.data.totalPages} /> : null}
    </Panel>
  );
}

/** The service updates the figures one organization at a time. */
function FigureAge({ oldest }: { oldest: string | null }) {
  const now = useNow();
  if (oldest === null) return "Some organizations were not looked at yet; each line says of when it is.";
  return `Looked up organization by organization; the oldest figures are from ${relativeTime(oldest, now)}. What is stored is counted about once an hour.`;
}

function RelativeTime({ value }: { value: string }) {
  return (
    <time dateTime={value} title={value}>
      {relativeTime(value, useNow())}
    </time>
  );
}

function FailedShare({ span, isKnown }: { span: OrganizationHealth["day"]; isKnown: boolean }) {
  if (!isKnown || span.records === 0) return <span className={styles.quiet}>–</span>;
  const percent = (span.failed / span.records) * 100;
  const shown = percent > 0 && percent < 0.1 ? "< 0.1" : percent.toFixed(percent < 10 ? 1 : 0);
  const isCut = span.runs >= maxCountedRuns;
  const runs = `${isCut ? "the newest " : ""}${pluralize(span.runs, "run")}`;
  const title = `${span.failed.toLocaleString("en")} of ${pluralize(span.records, "record")} in ${runs}`;
  return (
    <span className={percent >= 10 ? styles.bad : undefined} title={title}>
      {percent === 0 ? "0" : shown} %
    </span>
  );
}

function NoOrganizations({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return <Empty title="No organization matches">Type a part of its name, or how its UUID begins.</Empty>;
  return (
    <Empty title="No organizations yet" action={<Link href="/organizations">Create the first one</Link>}>
      Whatever is imported and submitted belongs to one.
    </Empty>
  );
}
