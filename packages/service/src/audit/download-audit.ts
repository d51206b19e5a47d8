import type { AuditLine } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { byteOrderMark, csvLine, type Cell } from "../downloads/csv.js";
import { listAudit } from "./list-audit.js";

const maxExportedEntries = 50_000;
const entriesPerRead = 500;

const exported: [string, (line: AuditLine) => Cell][] = [
  ["uuid", (line) => line.uuid],
  ["at", (line) => line.at],
  ["actor", (line) => line.actor],
  ["address", (line) => line.address],
  ["action", (line) => line.action],
  ["subjectKind", (line) => line.subject?.kind],
  ["subjectUuid", (line) => line.subject?.uuid],
  ["subjectName", (line) => line.subject?.name],
  ["detail", (line) => line.detail],
];

/** The trail in pieces, newest first, read page by page, so that it never stands in memory as a whole. */
export async function* downloadAudit(
  pool: pg.Pool,
  {
    format,
    before: start,
    ...filters
  }: { organizationId: string; format: "csv" | "ndjson"; action?: string; before?: string },
): AsyncGenerator<string> {
  const toLine = format === "csv" ? toCsv : toJson;
  if (format === "csv") yield byteOrderMark + csvLine(exported.map(([heading]) => heading));
  let before = start;
  for (let written = 0; written < maxExportedEntries; written += entriesPerRead) {
    const page = await listAudit(pool, { ...filters, ...(before && { before }), limit: entriesPerRead });
    yield page.data.map(toLine).join("");
    if (page.nextCursor === null) return;
    before = page.nextCursor;
  }
}

function toCsv(line: AuditLine): string {
  return csvLine(exported.map(([, read]) => read(line)));
}

/** The detail is JSON already and goes in as it is. */
function toJson({ detail, ...line }: AuditLine): string {
  return `${JSON.stringify(line).slice(0, -1)},"detail":${detail}}\n`;
}
