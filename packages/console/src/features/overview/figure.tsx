import type { ReactNode } from "react";
import styles from "./overview.module.css";

interface Figure {
  label: string;
  value: ReactNode;
  /** As in the chart below. */
  color?: string | undefined;
}

/** The totals above a chart. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className={styles.numbers}>
      {figures.map(({ label, value, color }) => (
        <div key={label} className={styles.number}>
          <dt>
            {color ? (
              <span className={styles.swatch} style={{ background: `var(--gatehouse-${color})` }} />
            ) : null}
            {label}
          </dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
