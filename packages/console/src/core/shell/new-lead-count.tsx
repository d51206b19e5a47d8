import { useApi } from "../api/queries.js";
import styles from "./shell.module.css";
import { texts } from "./texts.js";

const refetchMs = 60_000;

/** Beside the menu entry. */
export function NewLeadCount() {
  const { count = 0, hasMore = false } = useApi("countNewLeads", { refetchMs }).data ?? {};
  if (count === 0) return null;
  return (
    <span className={styles.count}>
      {hasMore ? `${count}+` : count}
      <span className="visually-hidden"> {texts.navigation.newLeads}</span>
    </span>
  );
}
