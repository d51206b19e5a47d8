import { exactJson, jsonLine } from "@gatehouse-parking/json-text";
import type pg from "pg";
import {
  byteOrderMark,
  csvLine,
  type Cell,
  type ExportFormat,
  type RowFormat,
} from "../downloads/row-format.js";
import type { PageReader } from "../downloads/export-list.js";
import { storedLead } from "../entities/entities.js";
import { findLeads, leadColumnsWith, type AssignedLead, type LeadFilters } from "./list-leads.js";

/** The maximum length of a spreadsheet cell. */
const maxCellLength = 32_000;

type Column = [heading: string, read: (lead: AssignedLead) => unknown];

const fields = storedLead.columns.map(({ field, name }): Column => [field, (lead) => lead[name]]);
const afterPhone = fields.findIndex(([heading]) => heading === "phone") + 1;

const exported: Column[] = [
  ["leadUuid", (lead) => lead.id],
  ["createdAt", (lead) => lead.created_at],
  ["state", (lead) => lead.state],
  ["workState", (lead) => lead.work_state],
  ["workStateChangedBy", (lead) => lead.work_changed_by],
  ["workStateChangedAt", (lead) => lead.work_changed_at],
  ["assignee", (lead) => lead.assignee?.email ?? null],
  ["duplicateOf", (lead) => lead.duplicate_of],
  ...fields.slice(0, afterPhone),
  ["locationUuid", (lead) => lead.location_id],
  ["location", (lead) => lead.location_name],
  ...fields.slice(afterPhone),
];

function read(column: Column, lead: AssignedLead): Cell {
  const value = column[1](lead);
  return value instanceof Date ? value.toISOString() : (value as Cell);
}

/** The metadata of a lead may be as long as its body. NDJSON contains all of it. */
const perRead = { csv: 500, ndjson: 50 };
const readColumns = {
  csv: `${leadColumnsWith(storedLead.columns.filter(({ kind }) => kind !== "json"))}, ${storedLead.columns
    .filter(({ kind }) => kind === "json")
    .map(({ name }) => `left(record.${name}::text, ${maxCellLength}) as ${name}`)
    .join(", ")}`,
  ndjson: leadColumnsWith(storedLead.columns),
};
const formats: Record<ExportFormat, RowFormat<AssignedLead>> = {
  csv: {
    heading: byteOrderMark + csvLine(exported.map(([heading]) => heading)),
    toLine: (lead) => csvLine(exported.map((column) => read(column, lead))),
  },
  ndjson: { heading: "", toLine: (lead) => jsonLine(toObject(lead)) },
};

export const leadsPerRead = (format: ExportFormat): number => perRead[format];
export const leadFormat = (format: ExportFormat): RowFormat<AssignedLead> => formats[format];

/** Leads for an export, with more fields of each than the list shows. */
export function leadReader(
  pool: pg.Pool,
  { format, ...filters }: LeadFilters & { format: ExportFormat },
): PageReader<AssignedLead> {
  return (before, limit) => findLeads(pool, filters, { before, limit }, { columns: readColumns[format] });
}

function toObject(lead: AssignedLead): Record<string, unknown> {
  const values: Record<string, unknown> = Object.fromEntries(
    exported.map((column) => [column[0], read(column, lead) ?? null]),
  );
  for (const { field, kind } of storedLead.columns)
    if ((kind === "json" || kind === "amount") && values[field] !== null)
      values[field] = exactJson(values[field] as string);
  return values;
}
