import type { ReactNode } from "react";
import styles from "./counters.module.css";

export interface Counter {
  label: string;
  value: number | string;
  color?: "created" | "skipped" | "failed";
}

/** The few numbers that matter on a page, in one row. */
export function Counters({ items, footer }: { items: readonly Counter[]; footer?: ReactNode }) {
  return (
    <div className={styles.panel}>
      <dl className={styles.row}>
        {items.map((item) => (
          <div key={item.label} className={styles.item}>
            <dt className={styles.label}>
              {item.color ? (
                <span className={styles.dot} style={{ background: `var(--gatehouse-${item.color})` }} />
              ) : null}
              {item.label}
            </dt>
            <dd className={styles.value}>
              {typeof item.value === "number" ? item.value.toLocaleString("en") : item.value}
            </dd>
          </div>
        ))}
      </dl>
      {footer ? <div className={styles.footer}>{footer}</div> : null}
    </div>
  );
}
