import { SegmentedControl, Skeleton } from "@mantine/core";
import type { ConsoleApiKey, KeyUse, OrganizationLimits } from "@gatehouse-parking/contract/console";
import { lazy, Suspense, useMemo } from "react";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { useHasFeature } from "../../core/features.js";
import { formatRate, formatShare } from "../../core/ui/format.js";
import { Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Loaded } from "../../core/ui/states.js";
import { DataTable, type Column } from "../../core/ui/table.js";
import { UseBar } from "../../core/ui/use-bar.js";
import type { UsagePoint } from "./charts.js";
import styles from "./overview.module.css";
import { bucketLabel, rangeQuery, ranges, readRange } from "./time-ranges.js";
import { texts } from "./texts.js";

export function LimitUsage() {
  const limits = useApi("getLimits", { refetchMs: 10_000 });
  return (
    <Panel title={texts.limits.title} description={texts.limits.description}>
      <Loaded query={limits} loading={<Skeleton height={200} />}>
        {({ data }) => (
          <ul className={styles.list}>
            {data.map(({ operation, used, own, usual }) => {
              const { requests, windowSeconds } = own ?? usual;
              const rate = formatRate(requests, windowSeconds);
              return (
                <li key={operation} className={styles.limit}>
                  <div className={styles.limitHead}>
                    <span>{operation}</span>
                    <span className="numeric">
                      {used === null ? texts.limits.perAddress(rate) : texts.limits.used(used, rate)}
                    </span>
                  </div>
                  <UseBar
                    share={(used ?? 0) / requests}
                    label={texts.limits.bar(operation, used ?? 0, requests)}
                  />
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
    </Panel>
  );
}

type UsageLine = KeyUse["data"][number];
type Counts = Pick<UsageLine, "accepted" | "refused" | "limited">;
type UsageRow = Counts & Pick<UsageLine, "apiKeyUuid" | "operation">;

/** The numbers of requests, with links to the request log if it is on. */
const countColumns: Column<UsageRow>[] = (
  [
    [texts.usage.accepted, "accepted"],
    [texts.usage.rejected, "refused"],
    [texts.usage.limited, "limited"],
  ] as const
).map(([header, outcome]) => ({
  header,
  cell: (row) => <RequestCount row={row} outcome={outcome} />,
  align: "right",
  ...(outcome === "limited" && { from: "tablet" }),
}));

function RequestCount({ row, outcome }: { row: UsageRow; outcome: keyof Counts }) {
  const hasRequestLog = useHasFeature("request-log");
  const shown = row[outcome].toLocaleString("en");
  if (row[outcome] === 0 || !hasRequestLog) return shown;
  const { apiKeyUuid, operation } = row;
  return (
    <Link href={`/requests?apiKey=${apiKeyUuid}&operation=${operation}&outcome=${outcome}`}>{shown}</Link>
  );
}

function sumOf(lines: readonly UsageLine[], name: keyof Counts | "notLogged"): number {
  return lines.reduce((total, line) => total + line[name], 0);
}

function totalsOf(lines: readonly UsageLine[]): Counts {
  return {
    accepted: sumOf(lines, "accepted"),
    refused: sumOf(lines, "refused"),
    limited: sumOf(lines, "limited"),
  };
}

const keyColumns: Column<UsageLine>[] = [
  {
    header: texts.usage.key,
    cell: (row) => <Link href={`/settings/api-keys/${row.apiKeyUuid}`}>{row.name}</Link>,
  },
  {
    header: texts.usage.prefix,
    cell: (row) => <span className="monospace">{row.prefix}…</span>,
    from: "desktop",
  },
  { header: texts.usage.operation, cell: (row) => row.operation },
  ...countColumns,
];

/** Which key used the limits in the last 24 hours. */
export function KeyUsage() {
  const use = useApi("getKeyUse", { query: {} });
  const rows = useMemo(() => sumByKey(use.data?.data ?? []), [use.data]);
  return (
    <Panel title={texts.usage.title} description={texts.usage.description} flush={rows.length > 0}>
      <Loaded query={use} loading={<Skeleton height={80} />}>
        {() =>
          rows.length === 0 ? (
            <p className={styles.quiet}>{texts.usage.none}</p>
          ) : (
            <DataTable label={texts.usage.title} columns={keyColumns} rows={rows} rowKey={idOf} />
          )
        }
      </Loaded>
    </Panel>
  );
}

function idOf({ apiKeyUuid, operation }: UsageLine): string {
  return `${apiKeyUuid} ${operation}`;
}

function sumByKey(data: readonly UsageLine[]): UsageLine[] {
  const groups = new Map<string, UsageLine[]>();
  for (const line of data) groups.set(idOf(line), [...(groups.get(idOf(line)) ?? []), line]);
  const rows = [...groups.values()].flatMap((lines) =>
    lines.slice(0, 1).map((line) => ({ ...line, ...totalsOf(lines) })),
  );
  return rows.toSorted((a, b) => b.accepted - a.accepted);
}

const UseChart = lazy(() => import("./charts.js").then(({ UsageChart }) => ({ default: UsageChart })));

/** The service keeps usage for a month. */
const shownRanges = ranges.filter(({ value }) => value !== "quarter");

/** A panel on the page of an API key. */
export default function ApiKeyUsage({ apiKey: { uuid: keyUuid } }: { apiKey: ConsoleApiKey }) {
  const { params, set } = useQueryState();
  const chosen = readRange(params.get("range"));
  const range = chosen === "quarter" ? "month" : chosen;
  const { bucket, ...query } = useMemo(() => rangeQuery(range), [range]);
  const use = useApi("getKeyUse", { query, live: true });
  const limits = useApi("getLimits");
  return (
    <Panel
      title={texts.keyUsage.title}
      description={texts.keyUsage.description}
      actions={
        <SegmentedControl
          aria-label={texts.timeRange}
          size="xs"
          data={shownRanges.map(({ value, label }) => ({ value, label }))}
          value={range}
          onChange={(value) => set({ range: value })}
        />
      }
      flush
    >
      <Loaded query={use} loading={<Skeleton height={180} m="md" />}>
        {(loaded) => <UsageFigures keyUuid={keyUuid} use={loaded} bucket={bucket} limits={limits.data} />}
      </Loaded>
    </Panel>
  );
}

interface FiguresProps {
  keyUuid: string;
  use: KeyUse;
  bucket: "hour" | "day";
  limits: OrganizationLimits | undefined;
}

/** Usage over time and by operation, with the key's share of the limits that all keys share. */
function UsageFigures({ keyUuid, use, bucket, limits }: FiguresProps) {
  const own = use.data.filter((line) => line.apiKeyUuid === keyUuid);
  if (own.length === 0) return <p className={styles.keyNote}>{texts.keyUsage.none}</p>;
  const { accepted, limited, refused } = totalsOf(own);
  const words = texts.keyUsage.counts(accepted, limited, refused);
  const notLogged = sumOf(own, "notLogged");
  return (
    <>
      <figure className={styles.keyChart} aria-label={texts.keyUsage.chart(words)}>
        <Suspense fallback={<Skeleton height={180} />}>
          <UseChart points={toPoints(own, use, bucket)} />
        </Suspense>
      </figure>
      <DataTable
        label={texts.keyUsage.byOperation}
        columns={operationColumns}
        rows={toRows(own, use.data, limits)}
        rowKey={(row) => row.operation}
      />
      {notLogged > 0 ? <p className={styles.keyNote}>{texts.keyUsage.notLogged(notLogged)}</p> : null}
    </>
  );
}

const stepMs = { hour: 3_600_000, day: 86_400_000 };

/** All buckets of the range, including empty ones. */
function toPoints(own: readonly UsageLine[], use: KeyUse, bucket: "hour" | "day"): UsagePoint[] {
  const points: UsagePoint[] = [];
  const startOf = (text: string) => Math.floor(Date.parse(text) / stepMs[bucket]) * stepMs[bucket];
  for (let at = startOf(use.from); at < Date.parse(use.to); at += stepMs[bucket]) {
    const lines = own.filter((line) => startOf(line.hour) === at);
    points.push({ label: bucketLabel(new Date(at).toISOString(), bucket), ...totalsOf(lines) });
  }
  return points;
}

interface OperationRow extends UsageRow {
  /** The key's share of all requests. */
  share: number;
  /** Accepted requests in the busiest hour as a share of the hourly limit. Null for limits by address. */
  busiest: number | null;
}

const secondsOfHour = 3_600;

const operationColumns: Column<OperationRow>[] = [
  { header: texts.usage.operation, cell: (row) => row.operation },
  ...countColumns,
  { header: texts.keyUsage.share, cell: (row) => formatShare(row.share), align: "right", from: "tablet" },
  {
    header: texts.keyUsage.busiest,
    cell: (row) => (row.busiest === null ? texts.keyUsage.byAddress : formatShare(row.busiest)),
    align: "right",
    from: "desktop",
  },
];

function toRows(
  own: readonly UsageLine[],
  data: KeyUse["data"],
  limits: OrganizationLimits | undefined,
): OperationRow[] {
  const operations = [...new Set(own.map((line) => line.operation))].toSorted();
  const countOf = ({ accepted, refused, limited }: Counts) => accepted + refused + limited;
  return operations.flatMap((operation) => {
    const lines = own.filter((line) => line.operation === operation);
    const totals = totalsOf(lines);
    const all = countOf(totalsOf(data.filter((line) => line.operation === operation)));
    const limit = limits?.data.find((candidate) => candidate.operation === operation);
    const { requests, windowSeconds } = limit?.own ?? limit?.usual ?? { requests: 0, windowSeconds: 1 };
    const inAnHour = limit?.per === "organization" ? (requests * secondsOfHour) / windowSeconds : null;
    const busiest = inAnHour && Math.max(...lines.map((line) => line.accepted)) / inAnHour;
    const share = all === 0 ? 0 : countOf(totals) / all;
    return lines.slice(0, 1).map(({ apiKeyUuid }) => ({ apiKeyUuid, operation, ...totals, share, busiest }));
  });
}
