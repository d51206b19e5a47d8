import { SegmentedControl, Skeleton } from "@mantine/core";
import type { Outcomes as OutcomesAnswer } from "@gatehouse-parking/contract/console";
import { lazy, Suspense, useMemo } from "react";
import { Link, useLocation } from "wouter";
import { useApi } from "../api/queries.js";
import { counted } from "../ui/counted.js";
import { Panel } from "../ui/panel.js";
import { useQueryState } from "../ui/query-state.js";
import { Failure } from "../ui/states.js";
import styles from "./overview.module.css";
import { ranges, rangeQuery, readRange } from "./ranges.js";

const OutcomeChart = lazy(() => import("./charts/outcome-chart.js"));

/** Records by what became of them, over time. */
export function Outcomes() {
  const { params, set } = useQueryState();
  const range = readRange(params.get("range"));
  const query = useMemo(() => rangeQuery(range), [range]);
  const outcomes = useApi("getOutcomes", { query });
  return (
    <Panel
      title="Records by outcome"
      actions={
        <SegmentedControl
          aria-label="Time range"
          size="xs"
          data={ranges.map(({ value, label }) => ({ value, label }))}
          value={range}
          onChange={(value) => set({ range: value })}
        />
      }
    >
      {outcomes.error ? <Failure error={outcomes.error} retry={() => void outcomes.refetch()} /> : null}
      {outcomes.isPending ? <Skeleton height={270} /> : null}
      {outcomes.data ? <Plot outcomes={outcomes.data} /> : null}
    </Panel>
  );
}

function Plot({ outcomes }: { outcomes: OutcomesAnswer }) {
  const [, navigate] = useLocation();
  const sum = (name: "runs" | "created" | "skipped" | "failed" | "takenBack") =>
    outcomes.buckets.reduce((total, bucket) => total + bucket[name], 0);
  const numbers = [
    { label: "Runs", value: sum("runs") },
    { label: "Created", value: sum("created"), color: "created", having: "created" },
    { label: "Skipped", value: sum("skipped"), color: "skipped", having: "skipped" },
    { label: "Failed", value: sum("failed"), color: "failed", having: "failed" },
    ...(sum("takenBack") > 0 ? [{ label: "Taken back", value: sum("takenBack") }] : []),
  ];
  const words = [
    counted(sum("runs"), "run"),
    ...numbers.slice(1).map(({ label, value }) => `${value} ${label.toLowerCase()}`),
  ].join(", ");
  return (
    <>
      <dl className={styles.numbers}>
        {numbers.map(({ label, value, color, having }) => (
          <div key={label} className={styles.number}>
            <dt>
              {color ? (
                <span className={styles.swatch} style={{ background: `var(--gatehouse-${color})` }} />
              ) : null}
              {label}
            </dt>
            <dd>
              {value === 0 ? "0" : <Link href={runsOf(outcomes, having)}>{value.toLocaleString("en")}</Link>}
            </dd>
          </div>
        ))}
      </dl>
      <figure className={styles.chart} aria-label={`Records by outcome over time: ${words}`}>
        <Suspense fallback={<Skeleton height={220} />}>
          <OutcomeChart outcomes={outcomes} onPick={(day) => navigate(`/imports?from=${day}&to=${day}`)} />
        </Suspense>
      </figure>
    </>
  );
}

/** The runs behind a number. They are listed by whole days. */
function runsOf(outcomes: OutcomesAnswer, having: string | undefined): string {
  const lastMs = Math.min(Date.parse(outcomes.to) - 1, Date.now());
  const days = `from=${outcomes.from.slice(0, 10)}&to=${new Date(lastMs).toISOString().slice(0, 10)}`;
  return `/imports?${days}${having === undefined ? "" : `&having=${having}`}`;
}
