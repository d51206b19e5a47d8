import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import { stackedBars } from "./stacked-bars.js";

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
  return <BarChart {...stackedBars} h={180} data={points} series={series} />;
}
