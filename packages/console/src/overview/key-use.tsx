import { Skeleton } from "@mantine/core";
import type { KeyUse as KeyUseAnswer } from "@gatehouse-parking/contract/console";
import { useMemo } from "react";
import { Link } from "wouter";
import { useApi } from "../api/queries.js";
import { Panel } from "../ui/panel.js";
import { Failure } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import styles from "./overview.module.css";

interface Row {
  id: string;
  uuid: string;
  name: string;
  prefix: string;
  operation: string;
  accepted: number;
  limited: number;
  refused: number;
}

const columns: Column<Row>[] = [
  {
    header: "Key",
    cell: (row) => <Link href={`/settings/api-keys/${row.uuid}`}>{row.name}</Link>,
  },
  { header: "Prefix", cell: (row) => <span className="monospace">{row.prefix}…</span>, from: "desktop" },
  { header: "Operation", cell: (row) => row.operation },
  { header: "Accepted", cell: (row) => requestsOf(row, row.accepted, "accepted"), align: "right" },
  { header: "Refused", cell: (row) => requestsOf(row, row.refused, "refused"), align: "right" },
  {
    header: "Over the limit",
    cell: (row) => requestsOf(row, row.limited, "limited"),
    align: "right",
    from: "tablet",
  },
];

/** A number leads to the requests that it counts. */
function requestsOf({ uuid, operation }: Row, count: number, outcome: string) {
  const shown = count.toLocaleString("en");
  if (count === 0) return shown;
  return <Link href={`/requests?apiKey=${uuid}&operation=${operation}&outcome=${outcome}`}>{shown}</Link>;
}

/** Which key used the limits in the last 24 hours. */
export function KeyUse() {
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

function sumByKey(data: KeyUseAnswer["data"]): Row[] {
  const rows = new Map<string, Row>();
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
