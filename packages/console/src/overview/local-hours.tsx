import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useApi } from "../api/queries.js";
import { counted } from "../ui/counted.js";
import { Failure } from "../ui/states.js";
import styles from "./overview.module.css";

const LocalChart = lazy(() => import("./charts/local-chart.js"));

/** The hours of one day as the clock on the wall showed them: 23, 24 or 25 of them. */
export function LocalHours({ location, date }: { location: string; date: string }) {
  const hours = useApi("getLocalHours", { query: { location, date } });
  if (hours.error) return <Failure error={hours.error} retry={() => void hours.refetch()} />;
  if (!hours.data) return <Skeleton height={260} mt="md" />;
  const repeated = new Set(
    hours.data.hours.map((hour) => hour.label).filter((label, index, all) => all.indexOf(label) !== index),
  );
  const transactions = hours.data.hours.reduce((sum, hour) => sum + hour.transactions, 0);
  return (
    <div className={styles.hours}>
      <p className={styles.quiet}>
        {date} in {hours.data.timeZone}: {hours.data.hours.length} hours.
      </p>
      <figure
        className={styles.chart}
        aria-label={`${counted(transactions, "transaction")} by hour on ${date}`}
      >
        <Suspense fallback={<Skeleton height={220} />}>
          <LocalChart
            points={hours.data.hours.map((hour) => ({
              // The hour that the clock shows twice in autumn is told apart by its offset.
              label: repeated.has(hour.label) ? `${hour.label} (${hour.utcOffset})` : hour.label,
              transactions: hour.transactions,
              revenue: Number(hour.revenue),
            }))}
          />
        </Suspense>
      </figure>
    </div>
  );
}
