import type pg from "pg";
import { byteOrderMark, csvLine, type Cell } from "../downloads/csv.js";
import { findLeads, leadColumns, type LeadFilters, type StoredLead } from "./list-leads.js";

/** Beyond this many, narrow the filters: the file is for a spreadsheet. */
const maxExportedLeads = 10_000;
const leadsPerRead = 500;
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

const columns = `${leadColumns}, record.estimated_start_date, record.estimated_start_date_string,
  record.source_details, record.notes, record.form_name, record.slug, record.referrer_url,
  left(record.metadata::text, ${maxCellLength}) as metadata`;

const exported: [string, (lead: ExportRow) => Cell][] = [
  ["leadUuid", (lead) => lead.id],
  ["createdAt", (lead) => lead.created_at.toISOString()],
  ["state", (lead) => lead.state],
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

/** The file in pieces, read page by page, so that it never stands in memory as a whole. */
export async function* downloadLeads(pool: pg.Pool, filters: LeadFilters): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(exported.map(([heading]) => heading));
  let before: string | undefined;
  for (let written = 0; written < maxExportedLeads;) {
    const limit = Math.min(leadsPerRead, maxExportedLeads - written);
    const page = await findLeads(pool, filters, { before, limit }, { columns, toItem: toLine });
    written += page.data.length;
    yield page.data.join("");
    if (page.nextCursor === null) return;
    before = page.nextCursor;
  }
}

function toLine(lead: StoredLead): string {
  return csvLine(exported.map(([, read]) => read(lead as ExportRow)));
}
