import type { KeyUse, LimitUse } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { DataTable, type Column } from "../../ui/table.js";

interface Row {
  operation: string;
  accepted: number;
  refused: number;
  limited: number;
  notLogged: number;
  /** The key's part of all requests. */
  share: number;
  /** Accepted in the busiest hour, as a part of what the limit lets through in an hour; null: a limit by address. */
  busiest: number | null;
}

const secondsOfHour = 3_600;
const shownNumber = (value: number) => value.toLocaleString("en");
const percent = (part: number) =>
  part > 0 && part < 0.01 ? "under 1 %" : `${Math.round(part * 100).toLocaleString("en")} %`;

/** What a key was used for, and how much of the limits, which all keys share, is its doing. */
export function KeyUseTable({
  keyUuid,
  use,
  limits,
}: {
  keyUuid: string;
  use: KeyUse;
  limits: LimitUse | undefined;
}) {
  return (
    <DataTable
      label="Use by operation"
      columns={columnsFor(keyUuid)}
      rows={toRows(keyUuid, use.data, limits)}
      rowKey={(row) => row.operation}
    />
  );
}

function columnsFor(keyUuid: string): Column<Row>[] {
  const counted = (row: Row, count: number, outcome: string) =>
    count === 0 ? (
      "0"
    ) : (
      <Link href={`/requests?apiKey=${keyUuid}&operation=${row.operation}&outcome=${outcome}`}>
        {shownNumber(count)}
      </Link>
    );
  return [
    { header: "Operation", cell: (row) => row.operation },
    { header: "Accepted", cell: (row) => counted(row, row.accepted, "accepted"), align: "right" },
    { header: "Refused", cell: (row) => counted(row, row.refused, "refused"), align: "right" },
    {
      header: "Over the limit",
      cell: (row) => counted(row, row.limited, "limited"),
      align: "right",
      from: "tablet",
    },
    { header: "Share of all keys", cell: (row) => percent(row.share), align: "right", from: "tablet" },
    {
      header: "Of the limit, busiest hour",
      cell: (row) => (row.busiest === null ? "by address" : percent(row.busiest)),
      align: "right",
      from: "desktop",
    },
  ];
}

function toRows(keyUuid: string, data: KeyUse["data"], limits: LimitUse | undefined): Row[] {
  const own = data.filter((line) => line.apiKeyUuid === keyUuid);
  const operations = [...new Set(own.map((line) => line.operation))].toSorted();
  return operations.map((operation) => {
    const lines = own.filter((line) => line.operation === operation);
    const ofAll = data.filter((line) => line.operation === operation);
    const sum = (name: "accepted" | "refused" | "limited" | "notLogged") =>
      lines.reduce((total, line) => total + line[name], 0);
    const limit = limits?.data.find((candidate) => candidate.operation === operation);
    const inAnHour =
      limit?.per === "organization" ? (limit.limit * secondsOfHour) / limit.windowSeconds : null;
    const all = ofAll.reduce((total, line) => total + line.accepted + line.refused + line.limited, 0);
    return {
      operation,
      accepted: sum("accepted"),
      refused: sum("refused"),
      limited: sum("limited"),
      notLogged: sum("notLogged"),
      share: all === 0 ? 0 : (sum("accepted") + sum("refused") + sum("limited")) / all,
      busiest: inAnHour === null ? null : Math.max(...lines.map((line) => line.accepted)) / inAnHour,
    };
  });
}
