import { Badge } from "@mantine/core";
import type { ConsoleApiKey } from "@gatehouse-parking/contract/console";
import { Time } from "../ui/time.js";
import styles from "./api-keys.module.css";

/** Sorts the list. */
export function keyState(apiKey: ConsoleApiKey): string {
  if (apiKey.revokedAt) return "revoked";
  if (isExpired(apiKey)) return "expired";
  return apiKey.replacedBy ? "rotated" : "active";
}

export function KeyState({ apiKey }: { apiKey: ConsoleApiKey }) {
  if (apiKey.revokedAt) return <Badge color="red">revoked</Badge>;
  if (isExpired(apiKey)) return <Badge color="gray">expired</Badge>;
  if (apiKey.replacedBy)
    return (
      <>
        <Badge color="yellow">rotated</Badge>
        <div className={styles.note}>
          ends <Time value={apiKey.expiresAt} />, replaced by{" "}
          <span className="monospace">{apiKey.replacedBy.prefix}…</span>
        </div>
      </>
    );
  return <Badge color="teal">active</Badge>;
}

function isExpired(key: ConsoleApiKey): boolean {
  return key.expiresAt !== null && Date.parse(key.expiresAt) <= Date.now();
}
