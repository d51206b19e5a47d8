import { Select, Skeleton, type SelectProps } from "@mantine/core";
import type { LocalDay, LocalDays as LocalDaysAnswer } from "@gatehouse-parking/contract/console";
import { lazy, Suspense, useState } from "react";
import { useApi } from "../../core/api/queries.js";
import { useLocationChoices } from "../../core/locations/location-choices.js";
import { pluralize } from "../../core/ui/format.js";
import { Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Loaded } from "../../core/ui/states.js";
import { Figures } from "./figure.js";
import styles from "./overview.module.css";
import { daysOfMonth, recentMonths } from "./time-ranges.js";

const LocalChart = lazy(() => import("./charts.js").then(({ LocalChart }) => ({ default: LocalChart })));

/** Transactions and revenue by local day, and by local hour for one location. */
export function LocalDays() {
  const { params, set } = useQueryState();
  const location = params.get("location");
  const date = params.get("date");
  const choices = useLocationChoices();
  const [months] = useState(() => recentMonths(new Date()));
  const month = daysOfMonth(params.get("month"));
  const period = month ? `${month.fromDate} to ${month.toDate}` : "last 30 days";
  const days = useApi("getLocalDays", { query: { ...month, ...(location ? { location } : {}) } });
  const unusual = (days.data?.days ?? []).filter((day) => day.hours !== null && day.hours !== 24);
  return (
    <Panel
      title="Transactions and revenue by local day"
      description={
        location
          ? `Days in this location's time zone, ${period}.${describeUnusual(unusual)}`
          : `Days in each location's own time zone, ${period}. Choose a location to see hours.`
      }
      actions={
        <div className={styles.controls}>
          <FilterSelect
            label="Month"
            otherwise="Last 30 days"
            data={months}
            value={month ? month.fromDate.slice(0, 7) : null}
            onChange={(value) => set({ month: value, date: null })}
          />
          <FilterSelect
            label="Location"
            otherwise="All locations"
            data={choices}
            value={location}
            onChange={(value) => set({ location: value, date: null })}
          />
          {location ? (
            <FilterSelect
              label="Day"
              otherwise="Hours of a day"
              data={(days.data?.days ?? [])
                .toReversed()
                .map((day) => ({ value: day.date, label: dayLabel(day) }))}
              value={date}
              onChange={(value) => set({ date: value })}
            />
          ) : null}
        </div>
      }
    >
      <Loaded query={days} loading={<Skeleton height={270} />}>
        {(loaded) => (
          <DaysChart days={loaded} onPick={location ? (picked) => set({ date: picked }) : undefined} />
        )}
      </Loaded>
      {location && date ? <LocalHours location={location} date={date} /> : null}
    </Panel>
  );
}

/** `otherwise` is the text while nothing is selected. */
function FilterSelect({
  label,
  otherwise,
  ...select
}: Pick<SelectProps, "data" | "value" | "onChange"> & { label: string; otherwise: string }) {
  return (
    <Select
      className={styles.wide}
      size="xs"
      aria-label={label}
      placeholder={otherwise}
      searchable
      clearable
      clearButtonProps={{ "aria-label": otherwise }}
      {...select}
    />
  );
}

function DaysChart({
  days: { days, isWithoutAmounts },
  onPick,
}: {
  days: LocalDaysAnswer;
  onPick?: ((date: string) => void) | undefined;
}) {
  const transactions = days.reduce((sum, day) => sum + day.transactions, 0);
  const revenue = days.reduce((sum, day) => sum + Number(day.revenue), 0);
  const refunded = days.reduce((sum, day) => sum + Number(day.refunded), 0);
  return (
    <>
      <Figures
        figures={[
          { label: "Transactions", value: transactions.toLocaleString("en"), color: "bar" },
          ...(isWithoutAmounts
            ? []
            : [
                { label: "Revenue", value: formatAmount(revenue), color: "line" },
                { label: "Refunded", value: formatAmount(refunded) },
              ]),
        ]}
      />
      {isWithoutAmounts ? (
        <p className={styles.note}>
          Your locations use different currencies, so their revenue is not added up. Choose a location to see
          its own.
        </p>
      ) : null}
      <figure
        className={styles.chart}
        aria-label={`By local day: ${pluralize(transactions, "transaction")}${isWithoutAmounts ? "" : `, revenue ${formatAmount(revenue)}`}`}
      >
        <Suspense fallback={<Skeleton height={220} />}>
          <LocalChart
            points={days.map((day) => ({
              label: day.date,
              transactions: day.transactions,
              ...(day.revenue === null ? {} : { revenue: Number(day.revenue) }),
            }))}
            onPick={onPick}
          />
        </Suspense>
      </figure>
    </>
  );
}

/** The API has no currencies. */
function formatAmount(value: number): string {
  return value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function dayLabel(day: LocalDay): string {
  return day.hours !== null && day.hours !== 24 ? `${day.date} (${day.hours} hours)` : day.date;
}

function describeUnusual(days: readonly LocalDay[]): string {
  return days.map((day) => ` ${day.date} has ${day.hours} hours.`).join("");
}

/** The local hours of one day: 23, 24 or 25. */
function LocalHours({ location, date }: { location: string; date: string }) {
  const answer = useApi("getLocalHours", { query: { location, date } });
  return (
    <Loaded query={answer} loading={<Skeleton height={260} mt="md" />}>
      {({ hours, timeZone }) => {
        const labels = hours.map(({ label }) => label);
        // The repeated hour in autumn gets its UTC offset.
        const isRepeated = (label: string) => labels.indexOf(label) !== labels.lastIndexOf(label);
        const transactions = hours.reduce((sum, hour) => sum + hour.transactions, 0);
        return (
          <div className={styles.hours}>
            <p className={styles.quiet}>
              {date} in {timeZone}: {hours.length} hours.
            </p>
            <figure
              className={styles.chart}
              aria-label={`${pluralize(transactions, "transaction")} by hour on ${date}`}
            >
              <Suspense fallback={<Skeleton height={220} />}>
                <LocalChart
                  points={hours.map(({ label, utcOffset, revenue, ...hour }) => ({
                    label: isRepeated(label) ? `${label} (${utcOffset})` : label,
                    transactions: hour.transactions,
                    revenue: Number(revenue),
                  }))}
                />
              </Suspense>
            </figure>
          </div>
        );
      }}
    </Loaded>
  );
}
