import { Select, Skeleton, type SelectProps } from "@mantine/core";
import type { LocalDay, LocalDays as LocalDaysAnswer } from "@gatehouse-parking/contract/console";
import { lazy, Suspense, useState } from "react";
import { useApi } from "../api/queries.js";
import { useLocationChoices } from "../locations/location-filter.js";
import { counted } from "../ui/counted.js";
import { Panel } from "../ui/panel.js";
import { useQueryState } from "../ui/query-state.js";
import { Failure } from "../ui/states.js";
import { LocalHours } from "./local-hours.js";
import { daysOfMonth, recentMonths } from "./months.js";
import styles from "./overview.module.css";

const LocalChart = lazy(() => import("./charts/local-chart.js"));

/** Transactions and revenue by the calendar of the place; the hours of a day by its wall clock. */
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
          <Choice
            label="Month"
            otherwise="Last 30 days"
            data={months}
            value={month ? month.fromDate.slice(0, 7) : null}
            onChange={(value) => set({ month: value, date: null })}
          />
          <Choice
            label="Location"
            otherwise="All locations"
            data={choices}
            value={location}
            onChange={(value) => set({ location: value, date: null })}
          />
          {location ? (
            <Choice
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
      {days.error ? <Failure error={days.error} retry={() => void days.refetch()} /> : null}
      {days.isPending ? <Skeleton height={270} /> : null}
      {days.data ? (
        <Days days={days.data} onPick={location ? (picked) => set({ date: picked }) : undefined} />
      ) : null}
      {location && date ? <LocalHours location={location} date={date} /> : null}
    </Panel>
  );
}

/** `otherwise`: what is shown while nothing is chosen, and what clearing the choice goes back to. */
function Choice({
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

function Days({
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
      <dl className={styles.numbers}>
        <Amount label="Transactions" value={transactions.toLocaleString("en")} color="bar" />
        {isWithoutAmounts ? null : (
          <>
            <Amount label="Revenue" value={money(revenue)} color="line" />
            <Amount label="Refunded" value={money(refunded)} />
          </>
        )}
      </dl>
      {isWithoutAmounts ? (
        <p className={styles.note}>
          Your locations use different currencies, so their revenue is not added up. Choose a location to see
          its own.
        </p>
      ) : null}
      <figure
        className={styles.chart}
        aria-label={`By local day: ${counted(transactions, "transaction")}${isWithoutAmounts ? "" : `, revenue ${money(revenue)}`}`}
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

function Amount({ label, value, color }: { label: string; value: string; color?: "bar" | "line" }) {
  return (
    <div className={styles.number}>
      <dt>
        {color ? (
          <span className={styles.swatch} style={{ background: `var(--gatehouse-${color})` }} />
        ) : null}
        {label}
      </dt>
      <dd>{value}</dd>
    </div>
  );
}

/** Amounts carry no currency in the interface, so none is shown. */
function money(value: number): string {
  return value.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

function dayLabel(day: LocalDay): string {
  return day.hours !== null && day.hours !== 24 ? `${day.date} (${day.hours} hours)` : day.date;
}

function describeUnusual(days: readonly LocalDay[]): string {
  return days.map((day) => ` ${day.date} has ${day.hours} hours.`).join("");
}
