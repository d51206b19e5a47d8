import { SegmentedControl, Skeleton } from "@mantine/core";
import type { ConsoleApiKey, KeyUse, LimitUse } from "@gatehouse-parking/contract/console";
import { lazy, Suspense, useMemo } from "react";
import { useApi } from "../../core/api/queries.js";
import { pluralize } from "../../core/ui/format.js";
import { Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Failure } from "../../core/ui/states.js";
import { DataTable, type Column } from "../../core/ui/table.js";
import type { UsagePoint } from "./charts.js";
import styles from "./overview.module.css";
import { rangeQuery, ranges, readRange } from "./time-ranges.js";
import { RequestCount } from "./usage.js";

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

interface UsageRow {
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

function columnsFor(keyUuid: string): Column<UsageRow>[] {
  const count = (row: UsageRow, outcome: "accepted" | "refused" | "limited") => (
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

function toRows(keyUuid: string, data: KeyUse["data"], limits: LimitUse | undefined): UsageRow[] {
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
