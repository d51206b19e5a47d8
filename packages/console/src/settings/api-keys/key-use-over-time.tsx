import { SegmentedControl, Skeleton } from "@mantine/core";
import type { KeyUse } from "@gatehouse-parking/contract/console";
import { lazy, Suspense, useMemo } from "react";
import { useApi } from "../../api/queries.js";
import type { UsePoint } from "../../overview/charts/use-chart.js";
import { ranges, rangeQuery, readRange } from "../../overview/ranges.js";
import { counted } from "../../ui/counted.js";
import { Panel } from "../../ui/panel.js";
import { useQueryState } from "../../ui/query-state.js";
import { Failure } from "../../ui/states.js";
import { KeyUseTable } from "./key-use-table.js";
import styles from "./key-page.module.css";

const UseChart = lazy(() => import("../../overview/charts/use-chart.js"));

/** Use is asked for a month at most. */
const shownRanges = ranges.filter(({ value }) => value !== "quarter");

export function KeyUseOverTime({ keyUuid }: { keyUuid: string }) {
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
      {use.data ? <Shown keyUuid={keyUuid} use={use.data} bucket={bucket} limits={limits.data} /> : null}
    </Panel>
  );
}

function Shown({
  keyUuid,
  use,
  bucket,
  limits,
}: {
  keyUuid: string;
  use: KeyUse;
  bucket: "hour" | "day";
  limits: Parameters<typeof KeyUseTable>[0]["limits"];
}) {
  const own = use.data.filter((line) => line.apiKeyUuid === keyUuid);
  if (own.length === 0) return <p className={styles.quiet}>It was not used in this time.</p>;
  const sum = (name: "accepted" | "refused" | "limited" | "notLogged") =>
    own.reduce((total, line) => total + line[name], 0);
  const words = `${sum("accepted")} accepted, ${sum("limited")} over the limit, ${sum("refused")} refused`;
  const notLogged = sum("notLogged");
  return (
    <>
      <figure className={styles.chart} aria-label={`Requests over time: ${words}`}>
        <Suspense fallback={<Skeleton height={180} />}>
          <UseChart points={toPoints(keyUuid, use, bucket)} />
        </Suspense>
      </figure>
      <KeyUseTable keyUuid={keyUuid} use={use} limits={limits} />
      {notLogged > 0 ? (
        <p className={styles.quiet}>
          {counted(notLogged, "request")} of this time {notLogged === 1 ? "has" : "have"} no line in the log:
          of many equal refusals within seconds only some are logged. Here they are counted.
        </p>
      ) : null}
    </>
  );
}

const stepMs = { hour: 3_600_000, day: 86_400_000 };

/** Every bucket of the range, empty ones included. */
function toPoints(keyUuid: string, use: KeyUse, bucket: "hour" | "day"): UsePoint[] {
  const points = new Map<number, UsePoint>();
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
