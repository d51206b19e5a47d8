import { Progress, SegmentedControl, Skeleton } from "@mantine/core";
import type {
  ConsoleApiKey,
  KeyUse,
  KeyUse as KeyUseAnswer,
  LimitUse,
} from "@gatehouse-parking/contract/console";
import { lazy, Suspense, useMemo } from "react";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { useHasFeature } from "../../core/features.js";
import { pluralize } from "../../core/ui/format.js";
import { Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Failure } from "../../core/ui/states.js";
import { type Column, DataTable } from "../../core/ui/table.js";
import type { UsagePoint } from "./charts.js";
import styles from "./overview.module.css";
import { rangeQuery, ranges, readRange } from "./time-ranges.js";

const refreshMs = 10_000;

export function LimitUsage() {
  const limits = useApi("getLimitUse", { refetchMs: refreshMs });
  return (
    <Panel title="Rate limits" description="Requests in the current window, across all keys.">
      {limits.error ? <Failure error={limits.error} retry={() => void limits.refetch()} /> : null}
      {limits.isPending ? <Skeleton height={200} /> : null}
      <ul className={styles.list}>
        {limits.data?.data.map((limit) => (
          <li key={limit.operation} className={styles.limit}>
            <div className={styles.limitHead}>
              <span>{limit.operation}</span>
              <span className="numeric">
                {limit.used === null
                  ? `${limit.limit} per address every ${limit.windowSeconds} s`
                  : `${limit.used} of ${limit.limit} in ${limit.windowSeconds} s`}
              </span>
            </div>
            <Progress
              value={limit.used === null ? 0 : (limit.used / limit.limit) * 100}
              color={limit.remaining === 0 ? "red" : "harbour"}
              size={5}
              aria-label={`${limit.operation}: ${limit.used ?? 0} of ${limit.limit}`}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

interface UsageRow {
  id: string;
  uuid: string;
  name: string;
  prefix: string;
  operation: string;
  accepted: number;
  limited: number;
  refused: number;
}

const columns: Column<UsageRow>[] = [
  {
    header: "Key",
    cell: (row) => <Link href={`/settings/api-keys/${row.uuid}`}>{row.name}</Link>,
  },
  { header: "Prefix", cell: (row) => <span className="monospace">{row.prefix}…</span>, from: "desktop" },
  { header: "Operation", cell: (row) => row.operation },
  { header: "Accepted", cell: (row) => countOf(row, "accepted"), align: "right" },
  { header: "Refused", cell: (row) => countOf(row, "refused"), align: "right" },
  {
    header: "Over the limit",
    cell: (row) => countOf(row, "limited"),
    align: "right",
    from: "tablet",
  },
];

function countOf(row: UsageRow, outcome: "accepted" | "refused" | "limited") {
  const { uuid, operation } = row;
  return <RequestCount apiKeyUuid={uuid} operation={operation} outcome={outcome} count={row[outcome]} />;
}

/** A number of requests, with a link to them if the request log is kept. */
function RequestCount({
  apiKeyUuid,
  operation,
  outcome,
  count,
}: {
  apiKeyUuid: string;
  operation: string;
  outcome: "accepted" | "refused" | "limited";
  count: number;
}) {
  const hasRequestLog = useHasFeature("request-log");
  const shown = count.toLocaleString("en");
  if (count === 0 || !hasRequestLog) return shown;
  return (
    <Link href={`/requests?apiKey=${apiKeyUuid}&operation=${operation}&outcome=${outcome}`}>{shown}</Link>
  );
}

/** Which key used the limits in the last 24 hours. */
export function KeyUsage() {
  const use = useApi("getKeyUse", { query: {} });
  const rows = useMemo(() => sumByKey(use.data?.data ?? []), [use.data]);
  return (
    <Panel title="Usage by key" description="Requests in the last 24 hours." flush={rows.length > 0}>
      {use.error ? <Failure error={use.error} retry={() => void use.refetch()} /> : null}
      {use.isPending ? <Skeleton height={80} /> : null}
      {use.data && rows.length === 0 ? <p className={styles.quiet}>No key has been used.</p> : null}
      {rows.length > 0 ? (
        <DataTable label="Usage by key" columns={columns} rows={rows} rowKey={(row) => row.id} />
      ) : null}
    </Panel>
  );
}

function sumByKey(data: KeyUseAnswer["data"]): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const line of data) {
    const id = `${line.apiKeyUuid} ${line.operation}`;
    const row = rows.get(id) ?? {
      id,
      uuid: line.apiKeyUuid,
      name: line.name,
      prefix: line.prefix,
      operation: line.operation,
      accepted: 0,
      limited: 0,
      refused: 0,
    };
    row.accepted += line.accepted;
    row.limited += line.limited;
    row.refused += line.refused;
    rows.set(id, row);
  }
  return [...rows.values()].toSorted((a, b) => b.accepted - a.accepted);
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
  const limits = useApi("getLimitUse");
  return (
    <Panel
      title="Use"
      description="Requests by how they were answered. All keys share the limits of the organization."
      actions={
        <SegmentedControl
          aria-label="Time range"
          size="xs"
          data={shownRanges.map(({ value, label }) => ({ value, label }))}
          value={range}
          onChange={(value) => set({ range: value })}
        />
      }
      flush
    >
      {use.error ? <Failure error={use.error} retry={() => void use.refetch()} /> : null}
      {use.isPending ? <Skeleton height={180} m="md" /> : null}
      {use.data ? (
        <UsageFigures keyUuid={keyUuid} use={use.data} bucket={bucket} limits={limits.data} />
      ) : null}
    </Panel>
  );
}

function UsageFigures({
  keyUuid,
  use,
  bucket,
  limits,
}: {
  keyUuid: string;
  use: KeyUse;
  bucket: "hour" | "day";
  limits: Parameters<typeof UsageTable>[0]["limits"];
}) {
  const own = use.data.filter((line) => line.apiKeyUuid === keyUuid);
  if (own.length === 0) return <p className={styles.keyNote}>It was not used in this time.</p>;
  const sum = (name: "accepted" | "refused" | "limited" | "notLogged") =>
    own.reduce((total, line) => total + line[name], 0);
  const words = `${sum("accepted")} accepted, ${sum("limited")} over the limit, ${sum("refused")} refused`;
  const notLogged = sum("notLogged");
  return (
    <>
      <figure className={styles.keyChart} aria-label={`Requests over time: ${words}`}>
        <Suspense fallback={<Skeleton height={180} />}>
          <UseChart points={toPoints(keyUuid, use, bucket)} />
        </Suspense>
      </figure>
      <UsageTable keyUuid={keyUuid} use={use} limits={limits} />
      {notLogged > 0 ? (
        <p className={styles.keyNote}>
          {pluralize(notLogged, "request")} of this time {notLogged === 1 ? "has" : "have"} no line in the
          log: of many equal refusals within seconds only some are logged. Here they are counted.
        </p>
      ) : null}
    </>
  );
}

const stepMs = { hour: 3_600_000, day: 86_400_000 };

/** All buckets of the range, including empty ones. */
function toPoints(keyUuid: string, use: KeyUse, bucket: "hour" | "day"): UsagePoint[] {
  const points = new Map<number, UsagePoint>();
  const startOf = (text: string) => Math.floor(Date.parse(text) / stepMs[bucket]) * stepMs[bucket];
  for (let at = startOf(use.from); at < Date.parse(use.to); at += stepMs[bucket])
    points.set(at, { label: labelOf(new Date(at), bucket), accepted: 0, refused: 0, limited: 0 });
  for (const line of use.data) {
    const point = line.apiKeyUuid === keyUuid ? points.get(startOf(line.hour)) : undefined;
    if (!point) continue;
    point.accepted += line.accepted;
    point.refused += line.refused;
    point.limited += line.limited;
  }
  return [...points.values()];
}

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

function labelOf(at: Date, bucket: "hour" | "day"): string {
  const day = dayFormat.format(at);
  return bucket === "day" ? day : `${day} ${at.toISOString().slice(11, 16)}`;
}

interface OperationRow {
  operation: string;
  accepted: number;
  refused: number;
  limited: number;
  /** The key's share of all requests. */
  share: number;
  /** Accepted requests in the busiest hour as a share of the hourly limit. Null for limits by address. */
  busiest: number | null;
}

const secondsOfHour = 3_600;
const percent = (part: number) =>
  part > 0 && part < 0.01 ? "under 1 %" : `${Math.round(part * 100).toLocaleString("en")} %`;

/** Usage by operation, and the key's share of the limits that all keys share. */
function UsageTable({
  keyUuid,
  use,
  limits,
}: {
  keyUuid: string;
  use: KeyUse;
  limits: LimitUse | undefined;
}) {
  return (
    <DataTable
      label="Use by operation"
      columns={columnsFor(keyUuid)}
      rows={toRows(keyUuid, use.data, limits)}
      rowKey={(row) => row.operation}
    />
  );
}

function columnsFor(keyUuid: string): Column<OperationRow>[] {
  const count = (row: OperationRow, outcome: "accepted" | "refused" | "limited") => (
    <RequestCount apiKeyUuid={keyUuid} operation={row.operation} outcome={outcome} count={row[outcome]} />
  );
  return [
    { header: "Operation", cell: (row) => row.operation },
    { header: "Accepted", cell: (row) => count(row, "accepted"), align: "right" },
    { header: "Refused", cell: (row) => count(row, "refused"), align: "right" },
    {
      header: "Over the limit",
      cell: (row) => count(row, "limited"),
      align: "right",
      from: "tablet",
    },
    { header: "Share of all keys", cell: (row) => percent(row.share), align: "right", from: "tablet" },
    {
      header: "Of the limit, busiest hour",
      cell: (row) => (row.busiest === null ? "by address" : percent(row.busiest)),
      align: "right",
      from: "desktop",
    },
  ];
}

function toRows(keyUuid: string, data: KeyUse["data"], limits: LimitUse | undefined): OperationRow[] {
  const own = data.filter((line) => line.apiKeyUuid === keyUuid);
  const operations = [...new Set(own.map((line) => line.operation))].toSorted();
  return operations.map((operation) => {
    const lines = own.filter((line) => line.operation === operation);
    const ofAll = data.filter((line) => line.operation === operation);
    const sum = (name: "accepted" | "refused" | "limited") =>
      lines.reduce((total, line) => total + line[name], 0);
    const limit = limits?.data.find((candidate) => candidate.operation === operation);
    const inAnHour =
      limit?.per === "organization" ? (limit.limit * secondsOfHour) / limit.windowSeconds : null;
    const all = ofAll.reduce((total, line) => total + line.accepted + line.refused + line.limited, 0);
    return {
      operation,
      accepted: sum("accepted"),
      refused: sum("refused"),
      limited: sum("limited"),
      share: all === 0 ? 0 : (sum("accepted") + sum("refused") + sum("limited")) / all,
      busiest: inAnHour === null ? null : Math.max(...lines.map((line) => line.accepted)) / inAnHour,
    };
  });
}
