import "@mantine/charts/styles.css";
import { BarChart, CompositeChart } from "@mantine/charts";
import type { Outcomes } from "@gatehouse-parking/contract/console";
import { bucketLabel, dayLabel } from "./time-ranges.js";
import { texts } from "./texts.js";

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** Axis labels have little room: 150000 is 150K. */
const tickFormatter = (value: number) => compact.format(value);

/** 2026-10-19 is 19 Oct; hours and months stay as they are. */
const dayTick = (label: string) => (/^\d{4}-\d{2}-\d{2}$/.test(label) ? dayLabel(label) : label);

/** Options that all charts of counts share. */
const stackedBars = {
  dataKey: "label",
  type: "stacked",
  tickLine: "none",
  gridAxis: "x",
  maxBarWidth: 26,
  barProps: { isAnimationActive: false },
  xAxisProps: { minTickGap: 40 },
  yAxisProps: { width: 44, allowDecimals: false, tickFormatter },
  valueFormatter: (value: number) => value.toLocaleString("en"),
} as const;

const outcomeSeries = [
  { name: "created", label: texts.outcomes.created, color: "var(--gatehouse-created)" },
  { name: "skipped", label: texts.outcomes.skipped, color: "var(--gatehouse-skipped)" },
  { name: "failed", label: texts.outcomes.failed, color: "var(--gatehouse-failed)" },
];

export function OutcomeChart({
  outcomes,
  onPick,
}: {
  outcomes: Outcomes;
  /** The day of the bar that was clicked. */
  onPick: (day: string) => void;
}) {
  const data = outcomes.buckets.map((bucket) => ({
    ...bucket,
    label: bucketLabel(bucket.start, outcomes.bucket),
  }));
  return (
    <BarChart
      {...stackedBars}
      h={220}
      data={data}
      series={outcomeSeries}
      barChartProps={{
        onClick: ({ activeLabel }: { activeLabel?: string | number }) => {
          const picked = data.find(({ label }) => label === activeLabel);
          if (picked) onPick(picked.start.slice(0, 10));
        },
      }}
    />
  );
}

export interface UsagePoint {
  label: string;
  accepted: number;
  refused: number;
  limited: number;
}

const usageSeries = [
  { name: "accepted", label: texts.usage.accepted, color: "var(--gatehouse-created)" },
  { name: "limited", label: texts.usage.limited, color: "var(--gatehouse-skipped)" },
  { name: "refused", label: texts.usage.rejected, color: "var(--gatehouse-failed)" },
];

/** Requests by outcome. */
export function UsageChart({ points }: { points: UsagePoint[] }) {
  return <BarChart {...stackedBars} h={180} data={points} series={usageSeries} />;
}

interface LocalPoint {
  label: string;
  transactions: number;
  /** Absent if the amounts have several currencies. */
  revenue?: number;
}

const transactions = {
  name: "transactions",
  label: texts.localDays.transactions,
  type: "bar",
  color: "var(--gatehouse-bar)",
} as const;
const revenue = {
  name: "revenue",
  label: texts.localDays.revenue,
  type: "line",
  color: "var(--gatehouse-line)",
  yAxisId: "right",
} as const;

/** Transactions as bars (left axis), revenue as a line (right axis). */
export function LocalChart({ points, onPick }: { points: LocalPoint[]; onPick?: (label: string) => void }) {
  const hasRevenue = points.some((point) => point.revenue !== undefined);
  return (
    <CompositeChart
      h={220}
      data={points}
      dataKey="label"
      withRightYAxis={hasRevenue}
      tickLine="none"
      gridAxis="x"
      maxBarWidth={26}
      series={hasRevenue ? [transactions, revenue] : [transactions]}
      withDots={false}
      curveType="linear"
      barProps={{ isAnimationActive: false }}
      lineProps={{ isAnimationActive: false, strokeWidth: 2 }}
      xAxisProps={{ minTickGap: 32, tickFormatter: dayTick }}
      yAxisProps={{ width: 44, allowDecimals: false, tickFormatter }}
      rightYAxisProps={{ width: 56, tickFormatter }}
      composedChartProps={
        onPick
          ? {
              onClick: (state: { activeLabel?: string | number }) =>
                state.activeLabel && onPick(String(state.activeLabel)),
            }
          : undefined
      }
      valueFormatter={(value) => value.toLocaleString("en", { maximumFractionDigits: 2 })}
    />
  );
}
