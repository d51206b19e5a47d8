import type { ReactNode } from "react";
import styles from "./facts.module.css";
import { texts } from "./texts.js";

/** `wide` takes a whole row. */
export type Fact = readonly [label: string, value: ReactNode, width?: "wide"];

/** Labels and values. Missing values are shown as a dash. */
export function Facts({ items }: { items: readonly (Fact | null | undefined | false)[] }) {
  return (
    <dl className={styles.list}>
      {items.map((item) =>
        item ? (
          <div key={item[0]} className={item[2] ? styles.wide : styles.item}>
            <dt className={styles.label}>{item[0]}</dt>
            <dd className={styles.value}>{isAbsent(item[1]) ? <Absent /> : item[1]}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}

/** A plain value as text. */
export function showValue(value: unknown): string {
  if (typeof value === "boolean") return value ? texts.yes : texts.no;
  return value === null || value === undefined ? "" : String(value);
}

export function Absent() {
  return (
    <span className={styles.absent}>
      <span aria-hidden>–</span>
      <span className="visually-hidden">{texts.none}</span>
    </span>
  );
}

function isAbsent(value: ReactNode): boolean {
  return value === null || value === undefined || value === "";
}

interface Counter {
  label: string;
  value: number | string;
  color?: "created" | "skipped" | "failed";
}

/** Large numbers in one row. */
export function Counters({ items, footer }: { items: readonly Counter[]; footer?: ReactNode }) {
  return (
    <div className={styles.panel}>
      <dl className={styles.row}>
        {items.map((item) => (
          <div key={item.label} className={styles.item}>
            <dt className={styles.counterLabel}>
              {item.color ? (
                <span className={styles.dot} style={{ background: `var(--gatehouse-${item.color})` }} />
              ) : null}
              {item.label}
            </dt>
            <dd className={styles.counterValue}>
              {typeof item.value === "number" ? item.value.toLocaleString("en") : item.value}
            </dd>
          </div>
        ))}
      </dl>
      {footer ? <div className={styles.footer}>{footer}</div> : null}
    </div>
  );
}
