import { Badge, SegmentedControl, Skeleton } from "@mantine/core";
import type { Outcomes as OutcomesAnswer } from "@gatehouse-parking/contract/console";
import { lazy, Suspense, useMemo } from "react";
import { Link, useLocation } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { pluralize } from "../../core/ui/format.js";
import { Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Loaded } from "../../core/ui/states.js";
import { Time } from "../../core/ui/time.js";
import { Figures } from "./figure.js";
import styles from "./overview.module.css";
import { rangeQuery, ranges, readRange } from "./time-ranges.js";
import { texts } from "./texts.js";

const OutcomeChart = lazy(() =>
  import("./charts.js").then(({ OutcomeChart }) => ({ default: OutcomeChart })),
);

export function Outcomes() {
  const { params, set } = useQueryState();
  const range = readRange(params.get("range"));
  const query = useMemo(() => rangeQuery(range), [range]);
  const outcomes = useApi("getOutcomes", { query });
  return (
    <Panel
      title={texts.outcomes.title}
      actions={
        <SegmentedControl
          aria-label={texts.timeRange}
          size="xs"
          data={ranges.map(({ value, label }) => ({ value, label }))}
          value={range}
          onChange={(value) => set({ range: value })}
        />
      }
    >
      <Loaded query={outcomes} loading={<Skeleton height={270} />}>
        {(loaded) => <OutcomesChart outcomes={loaded} />}
      </Loaded>
    </Panel>
  );
}

function OutcomesChart({ outcomes }: { outcomes: OutcomesAnswer }) {
  const [, navigate] = useLocation();
  const sum = (name: "runs" | "created" | "skipped" | "failed" | "takenBack") =>
    outcomes.buckets.reduce((total, bucket) => total + bucket[name], 0);
  const numbers = [
    { label: texts.outcomes.imports, value: sum("runs") },
    { label: texts.outcomes.created, value: sum("created"), color: "created", having: "created" },
    { label: texts.outcomes.skipped, value: sum("skipped"), color: "skipped", having: "skipped" },
    { label: texts.outcomes.failed, value: sum("failed"), color: "failed", having: "failed" },
    ...(sum("takenBack") > 0 ? [{ label: texts.outcomes.undone, value: sum("takenBack") }] : []),
  ];
  const words = [
    pluralize(sum("runs"), "import"),
    ...numbers.slice(1).map(({ label, value }) => `${value} ${label.toLowerCase()}`),
  ].join(", ");
  return (
    <>
      <Figures
        figures={numbers.map(({ label, value, color, having }) => ({
          label,
          color,
          value:
            value === 0 ? "0" : <Link href={runsOf(outcomes, having)}>{value.toLocaleString("en")}</Link>,
        }))}
      />
      <figure className={styles.chart} aria-label={texts.outcomes.chart(words)}>
        <Suspense fallback={<Skeleton height={220} />}>
          <OutcomeChart outcomes={outcomes} onPick={(day) => navigate(`/imports?from=${day}&to=${day}`)} />
        </Suspense>
      </figure>
    </>
  );
}

/** A link to the imports behind a number. They are filtered by whole days. */
function runsOf(outcomes: OutcomesAnswer, having: string | undefined): string {
  const lastMs = Math.min(Date.parse(outcomes.to) - 1, Date.now());
  const days = `from=${outcomes.from.slice(0, 10)}&to=${new Date(lastMs).toISOString().slice(0, 10)}`;
  return `/imports?${days}${having === undefined ? "" : `&having=${having}`}`;
}

const shown = 6;

export function TopReasons() {
  const reasons = useApi("getTopReasons", { query: {} });
  return (
    <Panel
      title={texts.reasons.title}
      description={texts.reasons.description}
      actions={<Link href="/imports">{texts.reasons.all}</Link>}
    >
      <Loaded query={reasons} loading={<Skeleton height={160} />}>
        {({ data, from }) =>
          data.length === 0 ? (
            <p className={styles.quiet}>{texts.reasons.none}</p>
          ) : (
            <ul className={styles.list}>
              {data.slice(0, shown).map((reason) => (
                <li key={`${reason.reasonCode}-${reason.status}`} className={styles.reason}>
                  <span className={styles.reasonCount}>
                    <Link href={`/imports?reason=${reason.reasonCode}&from=${from.slice(0, 10)}`}>
                      {reason.count.toLocaleString("en")}
                      <span className="visually-hidden"> {reason.name}</span>
                    </Link>
                  </span>
                  <div className={styles.reasonText}>
                    <div>
                      {reason.name}{" "}
                      <Badge color={reason.status === 4 ? "red" : "gray"}>
                        {texts.reasons.statuses[reason.status === 4 ? "failed" : "skipped"]}
                      </Badge>
                    </div>
                    <p>{reason.advice}</p>
                    <p>{texts.reasons.seen(reason.runs, <Time value={reason.lastSeenAt} />)}</p>
                  </div>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
