import { Progress, Skeleton } from "@mantine/core";
import type { KeyUse as KeyUseAnswer } from "@gatehouse-parking/contract/console";
import { useMemo } from "react";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { useHasFeature } from "../../core/features.js";
import { Panel } from "../../core/ui/page.js";
import { Failure } from "../../core/ui/states.js";
import { DataTable, type Column } from "../../core/ui/table.js";
import styles from "./overview.module.css";

const refreshMs = 10_000;

export function LimitUsage() {
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

interface UsageRow {
  id: string;
  uuid: string;
  name: string;
  prefix: string;
  operation: string;
  accepted: number;
  limited: number;
  refused: number;
}

const columns: Column<UsageRow>[] = [
  {
    header: "Key",
    cell: (row) => <Link href={`/settings/api-keys/${row.uuid}`}>{row.name}</Link>,
  },
  { header: "Prefix", cell: (row) => <span className="monospace">{row.prefix}…</span>, from: "desktop" },
  { header: "Operation", cell: (row) => row.operation },
  { header: "Accepted", cell: (row) => countOf(row, "accepted"), align: "right" },
  { header: "Refused", cell: (row) => countOf(row, "refused"), align: "right" },
  {
    header: "Over the limit",
    cell: (row) => countOf(row, "limited"),
    align: "right",
    from: "tablet",
  },
];

function countOf(row: UsageRow, outcome: "accepted" | "refused" | "limited") {
  const { uuid, operation } = row;
  return <RequestCount apiKeyUuid={uuid} operation={operation} outcome={outcome} count={row[outcome]} />;
}

/** A number of requests, with a link to them if the request log is kept. */
export function RequestCount({
  apiKeyUuid,
  operation,
  outcome,
  count,
}: {
  apiKeyUuid: string;
  operation: string;
  outcome: "accepted" | "refused" | "limited";
  count: number;
}) {
  const hasRequestLog = useHasFeature("request-log");
  const shown = count.toLocaleString("en");
  if (count === 0 || !hasRequestLog) return shown;
  return (
    <Link href={`/requests?apiKey=${apiKeyUuid}&operation=${operation}&outcome=${outcome}`}>{shown}</Link>
  );
}

/** Which key used the limits in the last 24 hours. */
export function KeyUsage() {
  const use = useApi("getKeyUse", { query: {} });
  const rows = useMemo(() => sumByKey(use.data?.data ?? []), [use.data]);
  return (
    <Panel title="Usage by key" description="Requests in the last 24 hours." flush={rows.length > 0}>
      {use.error ? <Failure error={use.error} retry={() => void use.refetch()} /> : null}
      {use.isPending ? <Skeleton height={80} /> : null}
      {use.data && rows.length === 0 ? <p className={styles.quiet}>No key has been used.</p> : null}
      {rows.length > 0 ? (
        <DataTable label="Usage by key" columns={columns} rows={rows} rowKey={(row) => row.id} />
      ) : null}
    </Panel>
  );
}

function sumByKey(data: KeyUseAnswer["data"]): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const line of data) {
    const id = `${line.apiKeyUuid} ${line.operation}`;
    const row = rows.get(id) ?? {
      id,
      uuid: line.apiKeyUuid,
      name: line.name,
      prefix: line.prefix,
      operation: line.operation,
      accepted: 0,
      limited: 0,
      refused: 0,
    };
    row.accepted += line.accepted;
    row.limited += line.limited;
    row.refused += line.refused;
    rows.set(id, row);
  }
  return [...rows.values()].toSorted((a, b) => b.accepted - a.accepted);
}
