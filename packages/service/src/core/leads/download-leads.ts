import { exactJson, jsonLine } from "@gatehouse-parking/json-text";
import type pg from "pg";
import { byteOrderMark, csvLine, type ExportFormat, type RowFormat } from "../downloads/row-format.js";
import type { PageReader } from "../downloads/export-list.js";
import { findLeads, leadColumns, type LeadFilters, type StoredLead } from "./list-leads.js";

/** A spreadsheet's cell holds no more. */
const maxCellLength = 32_000;

interface ExportRow extends StoredLead {
  estimated_start_date: Date | null;
  estimated_start_date_string: string | null;
  source_details: string | null;
  notes: string | null;
  form_name: string | null;
  slug: string | null;
  referrer_url: string | null;
  metadata: string | null;
}

const columns = (metadata: string) => `${leadColumns},
  record.estimated_start_date, record.estimated_start_date_string, record.source_details, record.notes,
  record.form_name, record.slug, record.referrer_url, ${metadata} as metadata`;

const exported: [string, (lead: ExportRow) => string | null | undefined][] = [
  ["leadUuid", (lead) => lead.id],
  ["createdAt", (lead) => lead.created_at.toISOString()],
  ["state", (lead) => lead.state],
  ["workState", (lead) => lead.work_state],
  ["workStateChangedBy", (lead) => lead.work_changed_by],
  ["workStateChangedAt", (lead) => lead.work_changed_at?.toISOString()],
  ["duplicateOf", (lead) => lead.duplicate_of],
  ["email", (lead) => lead.email],
  ["firstName", (lead) => lead.first_name],
  ["lastName", (lead) => lead.last_name],
  ["companyName", (lead) => lead.company_name],
  ["phone", (lead) => lead.phone],
  ["locationUuid", (lead) => lead.location_id],
  ["location", (lead) => lead.location_name],
  ["estimatedStartDate", (lead) => lead.estimated_start_date?.toISOString()],
  ["estimatedStartDateString", (lead) => lead.estimated_start_date_string],
  ["source", (lead) => lead.source],
  ["sourceDetails", (lead) => lead.source_details],
  ["notes", (lead) => lead.notes],
  ["formName", (lead) => lead.form_name],
  ["slug", (lead) => lead.slug],
  ["referrerUrl", (lead) => lead.referrer_url],
  ["metadata", (lead) => lead.metadata],
];

/** A lead may bring as much metadata as its body may be long, and in NDJSON it is whole. */
const perRead = { csv: 500, ndjson: 50 };
const readColumns = {
  csv: columns(`left(record.metadata::text, ${maxCellLength})`),
  ndjson: columns("record.metadata"),
};
const formats: Record<ExportFormat, RowFormat<ExportRow>> = {
  csv: {
    heading: byteOrderMark + csvLine(exported.map(([heading]) => heading)),
    toLine: (lead) => csvLine(exported.map(([, read]) => read(lead))),
  },
  ndjson: { heading: "", toLine: (lead) => jsonLine(toObject(lead)) },
};

export const leadsPerRead = (format: ExportFormat): number => perRead[format];
export const leadFormat = (format: ExportFormat): RowFormat<ExportRow> => formats[format];

/** Leads for a file: more of each than the list shows. */
export function leadReader(
  pool: pg.Pool,
  { format, ...filters }: LeadFilters & { format: ExportFormat },
): PageReader<ExportRow> {
  return (before, limit) => findLeads(pool, filters, { before, limit }, { columns: readColumns[format] });
}

function toObject(lead: ExportRow): Record<string, unknown> {
  const fields: Record<string, unknown> = Object.fromEntries(
    exported.map(([name, read]) => [name, read(lead) ?? null]),
  );
  return { ...fields, metadata: lead.metadata === null ? null : exactJson(lead.metadata) };
}
