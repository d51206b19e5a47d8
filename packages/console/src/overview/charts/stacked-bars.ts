import { tickFormatter } from "./chart-ticks.js";

/** What every plot of counts by time looks like. */
export const stackedBars = {
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
