import { Select, Skeleton, type SelectProps } from "@mantine/core";
import type { LocalDay, LocalDays as LocalDaysAnswer } from "@gatehouse-parking/contract/console";
import { lazy, Suspense, useState } from "react";
import { useApi } from "../../core/api/queries.js";
import { useLocationChoices } from "../../core/locations/location-choices.js";

import { Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Loaded } from "../../core/ui/states.js";
import { Figures } from "./figure.js";
import styles from "./overview.module.css";
import { daysOfMonth, recentMonths } from "./time-ranges.js";
import { texts } from "./texts.js";

const LocalChart = lazy(() => import("./charts.js").then(({ LocalChart }) => ({ default: LocalChart })));

/** Transactions and revenue by local day, and by local hour for one location. */
export function LocalDays() {
  const { params, set } = useQueryState();
  const location = params.get("location");
  const date = params.get("date");
  const choices = useLocationChoices();
  const [months] = useState(() => recentMonths(new Date()));
  const month = daysOfMonth(params.get("month"));
  const period = month ? texts.localDays.month(month.fromDate, month.toDate) : texts.localDays.lastDays;
  const days = useApi("getLocalDays", { query: { ...month, ...(location ? { location } : {}) } });
  const unusual = (days.data?.days ?? []).filter((day) => day.hours !== null && day.hours !== 24);
  return (
    <Panel
      title={texts.localDays.title}
      description={
        location
          ? texts.localDays.ofLocation(period, describeUnusual(unusual))
          : texts.localDays.ofAll(period)
      }
      actions={
        <div className={styles.controls}>
          <FilterSelect
            label={texts.localDays.monthFilter}
            otherwise={texts.localDays.noMonth}
            data={months}
            value={month ? month.fromDate.slice(0, 7) : null}
            onChange={(value) => set({ month: value, date: null })}
          />
          <FilterSelect
            label={texts.localDays.locationFilter}
            otherwise={texts.localDays.noLocation}
            data={choices}
            value={location}
            onChange={(value) => set({ location: value, date: null })}
          />
          {location ? (
            <FilterSelect
              label={texts.localDays.dayFilter}
              otherwise={texts.localDays.noDay}
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
          { label: texts.localDays.transactions, value: transactions.toLocaleString("en"), color: "bar" },
          ...(isWithoutAmounts
            ? []
            : [
                { label: texts.localDays.revenue, value: formatAmount(revenue), color: "line" },
                { label: texts.localDays.refunded, value: formatAmount(refunded) },
              ]),
        ]}
      />
      {isWithoutAmounts ? <p className={styles.note}>{texts.localDays.currencies}</p> : null}
      <figure
        className={styles.chart}
        aria-label={texts.localDays.chart(transactions, isWithoutAmounts ? null : formatAmount(revenue))}
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
  return day.hours !== null && day.hours !== 24
    ? texts.localDays.dayWithHours(day.date, day.hours)
    : day.date;
}

function describeUnusual(days: readonly LocalDay[]): string {
  return days.map((day) => texts.localDays.unusualDay(day.date, day.hours)).join("");
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
            <p className={styles.quiet}>{texts.localDays.hours(date, timeZone, hours.length)}</p>
            <figure className={styles.chart} aria-label={texts.localDays.hoursChart(transactions, date)}>
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
