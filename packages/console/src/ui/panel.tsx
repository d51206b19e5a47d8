import type { ReactNode } from "react";
import styles from "./panel.module.css";

/** A bordered surface with an optional heading. Everything on a page lies on one. */
export function Panel({
  id,
  title,
  description,
  actions,
  children,
  flush = false,
}: {
  id?: string;
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
  /** Content that brings its own spacing, such as a table. */
  flush?: boolean;
}) {
  return (
    <section id={id} className={styles.panel}>
      {title || actions ? (
        <header className={styles.header}>
          <div className={styles.heading}>
            {title ? <h2 className={styles.title}>{title}</h2> : null}
            {description ? <p className={styles.description}>{description}</p> : null}
          </div>
          {actions ? <div className={styles.actions}>{actions}</div> : null}
        </header>
      ) : null}
      <div className={flush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
