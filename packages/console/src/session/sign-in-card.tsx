import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Mark } from "../shell/mark.js";
import styles from "./entrance.module.css";

export function SignInCard({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  useDocumentTitle(`${title} · Gatehouse`);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <div className={styles.brand}>
          <Mark size={26} />
          Gatehouse
        </div>
        <div className={styles.surface}>
          <h1 className={styles.title}>{title}</h1>
          {children}
        </div>
        {hint ? <p className={styles.hint}>{hint}</p> : null}
      </div>
    </main>
  );
}
