import "@mantine/charts/styles.css";
import { BarChart } from "@mantine/charts";
import type { Outcomes } from "@gatehouse-parking/contract/console";
import { stackedBars } from "./stacked-bars.js";

const series = [
  { name: "created", label: "Created", color: "var(--gatehouse-created)" },
  { name: "skipped", label: "Skipped", color: "var(--gatehouse-skipped)" },
  { name: "failed", label: "Failed", color: "var(--gatehouse-failed)" },
];

export default function OutcomeChart({
  outcomes,
  onPick,
}: {
  outcomes: Outcomes;
  /** The day of the bar that was clicked. */
  onPick: (day: string) => void;
}) {
  const data = outcomes.buckets.map((bucket) => ({
    ...bucket,
    label: labelOf(bucket.start, outcomes.bucket),
  }));
  return (
    <BarChart
      {...stackedBars}
      h={220}
      data={data}
      series={series}
      barChartProps={{
        onClick: ({ activeLabel }: { activeLabel?: string | number }) => {
          const picked = data.find(({ label }) => label === activeLabel);
          if (picked) onPick(picked.start.slice(0, 10));
        },
      }}
    />
  );
}

function labelOf(start: string, bucket: "hour" | "day"): string {
  const date = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" }).format(
    new Date(start),
  );
  return bucket === "day" ? date : `${date} ${start.slice(11, 16)}`;
}
