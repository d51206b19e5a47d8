import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import styles from "./page.module.css";

/** The frame of every page: its name as the only first-level heading, a line about it, and what can be done here. */
export function Page({
  title,
  heading = title,
  description,
  actions,
  children,
}: {
  title: string;
  heading?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  useDocumentTitle(`${title} · Gatehouse`);
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <div className={styles.heading}>
          <h1 className={styles.title}>{heading}</h1>
          {description ? <div className={styles.description}>{description}</div> : null}
        </div>
        {actions ? <div className={styles.actions}>{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}
