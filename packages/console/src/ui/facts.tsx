import type { ReactNode } from "react";
import styles from "./facts.module.css";

/** A wide one gets a row of its own. */
export type Fact = readonly [label: string, value: ReactNode, width?: "wide"];

/** Names and values of one thing. Values that are not there are shown as a dash, so that their absence is seen. */
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

export function Absent() {
  return (
    <span className={styles.absent}>
      <span aria-hidden>–</span>
      <span className="visually-hidden">none</span>
    </span>
  );
}

function isAbsent(value: ReactNode): boolean {
  return value === null || value === undefined || value === "";
}
