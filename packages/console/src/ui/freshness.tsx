import { ActionIcon } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { IconRefresh } from "./icons.js";
import { useNow } from "./time.js";
import styles from "./freshness.module.css";

/** Beyond this, something keeps the page from being brought up to date. */
const oldMs = 150_000;

/** Says how old the figures on the page are, and offers to read them again. */
export function Freshness({
  query,
}: {
  query: Pick<UseQueryResult, "dataUpdatedAt" | "isFetching" | "error" | "refetch">;
}) {
  const now = useNow();
  if (query.dataUpdatedAt === 0) return null;
  const at = `${new Date(query.dataUpdatedAt).toISOString().slice(11, 19)} UTC`;
  const isOld = query.error !== null || now - query.dataUpdatedAt > oldMs;
  return (
    <span className={isOld ? styles.old : styles.fresh}>
      {isOld ? `Old: not updated since ${at}` : `As of ${at}`}
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label="Refresh"
        loading={query.isFetching}
        onClick={() => void query.refetch()}
      >
        <IconRefresh size={14} />
      </ActionIcon>
    </span>
  );
}
