import { maxCountedNewLeads } from "@gatehouse-parking/contract";
import { useApi } from "../api/queries.js";
import styles from "./leads.module.css";
import { texts } from "./texts.js";

const refetchMs = 60_000;

/** Beside the menu entry. */
export function NewLeadCount() {
  const count = useApi("countNewLeads", { refetchMs }).data?.count ?? 0;
  if (count === 0) return null;
  const shown = count < maxCountedNewLeads ? String(count) : `${maxCountedNewLeads - 1}+`;
  return (
    <span className={styles.newCount}>
      {shown}
      <span className="visually-hidden"> {texts.newLeads}</span>
    </span>
  );
}
