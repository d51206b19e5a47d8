import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { tickFormatter } from "./chart-ticks.js";

export interface UsePoint {
  label: string;
  accepted: number;
  refused: number;
  limited: number;
}

const series = [
  { name: "accepted", label: "Accepted", color: "var(--gatehouse-created)" },
  { name: "limited", label: "Over the limit", color: "var(--gatehouse-skipped)" },
  { name: "refused", label: "Refused", color: "var(--gatehouse-failed)" },
];

/** Requests by how they ended. */
export default function UseChart({ points }: { points: UsePoint[] }) {
  return (
    <BarChart
      h={180}
      data={points}
      dataKey="label"
      type="stacked"
      series={series}
      tickLine="none"
      gridAxis="x"
      maxBarWidth={26}
      barProps={{ isAnimationActive: false }}
      xAxisProps={{ minTickGap: 40 }}
      yAxisProps={{ width: 44, allowDecimals: false, tickFormatter }}
      valueFormatter={(value) => value.toLocaleString("en")}
    />
  );
}
