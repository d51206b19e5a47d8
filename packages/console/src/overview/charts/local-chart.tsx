import "@mantine/charts/styles.css";
import { CompositeChart } from "@mantine/charts";
import { dayTick, tickFormatter } from "./chart-ticks.js";

export interface LocalPoint {
  label: string;
  transactions: number;
  /** Absent: amounts of several currencies, which nobody can add up. */
  revenue?: number;
}

const transactions = {
  name: "transactions",
  label: "Transactions",
  type: "bar",
  color: "var(--gatehouse-bar)",
} as const;
const revenue = {
  name: "revenue",
  label: "Revenue",
  type: "line",
  color: "var(--gatehouse-line)",
  yAxisId: "right",
} as const;

/** Transactions as bars on the left scale, revenue as a line on the right one. */
export default function LocalChart({
  points,
  onPick,
}: {
  points: LocalPoint[];
  onPick?: (label: string) => void;
}) {
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
