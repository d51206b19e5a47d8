import { Badge } from "@mantine/core";
import { errors } from "@gatehouse-parking/contract";
import type { LoggedRequest } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { Identifier } from "../../core/ui/copyable.js";
import type { Column } from "../../core/ui/table.js";
import { Time } from "../../core/ui/time.js";
import styles from "./request-log.module.css";

const bytesOfKilobyte = 1_024;

export const requestColumns: Column<LoggedRequest>[] = [
  { header: "Answered", cell: (request) => <Time value={request.at} /> },
  { header: "Operation", cell: (request) => request.operation },
  { header: "Status", cell: (request) => <Status request={request} /> },
  { header: "Reason", cell: (request) => <Reason request={request} />, wrap: true },
  {
    header: "Run",
    cell: (request) =>
      request.referenceUuid === null ? null : (
        <Link href={`/imports/${request.referenceUuid}`} aria-label="Show the run">
          Show
        </Link>
      ),
  },
  {
    header: "Size",
    cell: ({ bodyBytes }) => formatSize(bodyBytes),
    align: "right",
    from: "desktop",
    optional: true,
  },
  {
    header: "Duration",
    cell: ({ durationMs }) => (durationMs === null ? "–" : `${Math.round(durationMs)} ms`),
    align: "right",
    from: "tablet",
  },
  {
    header: "Request ID",
    cell: ({ requestId }) => <Identifier value={requestId} label="Copy request ID" />,
    grow: true,
    from: "desktop",
  },
];

export const keyColumn: Column<LoggedRequest> = {
  header: "Key",
  cell: ({ apiKey }) => (
    <Link href={`/settings/api-keys/${apiKey.uuid}`}>{apiKey.name || `${apiKey.prefix}…`}</Link>
  ),
  from: "tablet",
};

function Status({ request: { status } }: { request: LoggedRequest }) {
  if (status === null) return <Badge color="gray">no answer</Badge>;
  return <Badge color={colorOf(status)}>{status}</Badge>;
}

function colorOf(status: number): string {
  if (status < 400) return "teal";
  if (status === 429) return "yellow";
  return "red";
}

function Reason({ request: { status, reason } }: { request: LoggedRequest }) {
  if (status === null) return <>The client went away before its answer.</>;
  if (reason === null) return null;
  const known = reason in errors ? errors[reason as keyof typeof errors] : undefined;
  return (
    <>
      <span className="monospace">{reason}</span>
      {known ? <span className={styles.meaning}>{known.message}</span> : null}
    </>
  );
}

function formatSize(bytes: number | null): string {
  if (bytes === null) return "–";
  if (bytes < bytesOfKilobyte) return `${bytes} B`;
  return `${Math.round(bytes / bytesOfKilobyte).toLocaleString("en")} KB`;
}
