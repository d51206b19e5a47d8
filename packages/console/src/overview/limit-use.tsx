import { Progress, Skeleton } from "@mantine/core";
import { useApi } from "../api/queries.js";
import { Panel } from "../ui/panel.js";
import { Failure } from "../ui/states.js";
import styles from "./overview.module.css";

const refreshMs = 10_000;

/** How much of each limit is used in the window that ends now. */
export function LimitUse() {
  const limits = useApi("getLimitUse", { refetchMs: refreshMs });
  return (
    <Panel title="Rate limits" description="Requests in the current window, across all keys.">
      {limits.error ? <Failure error={limits.error} retry={() => void limits.refetch()} /> : null}
      {limits.isPending ? <Skeleton height={200} /> : null}
      <ul className={styles.list}>
        {limits.data?.data.map((limit) => (
          <li key={limit.operation} className={styles.limit}>
            <div className={styles.limitHead}>
              <span>{limit.operation}</span>
              <span className="numeric">
                {limit.used === null
                  ? `${limit.limit} per address every ${limit.windowSeconds} s`
                  : `${limit.used} of ${limit.limit} in ${limit.windowSeconds} s`}
              </span>
            </div>
            <Progress
              value={limit.used === null ? 0 : (limit.used / limit.limit) * 100}
              color={limit.remaining === 0 ? "red" : "harbour"}
              size={5}
              aria-label={`${limit.operation}: ${limit.used ?? 0} of ${limit.limit}`}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
