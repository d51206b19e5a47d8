import { Location } from "@gatehouse-parking/contract";
import {
  AuditLine,
  ConsoleApiKey,
  Member,
  OrganizationSummary,
  RunSummary,
} from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { listAudit } from "../../audit/list-audit.js";
import { wholeReader } from "../../downloads/export-list.js";
import { flatRowFormat } from "../../downloads/row-format.js";
import { listRuns } from "../../imports/history/list-runs.js";
import { leadFormat, leadReader, leadsPerRead } from "../../leads/download-leads.js";
import { listLocations } from "../../locations/list-locations.js";
import { listApiKeys } from "../../organizations/api-keys.js";
import { findOrganizations } from "../../organizations/organizations.js";
import { listMembers } from "../../organizations/members.js";
import { browseRecords } from "../../records/browse-records.js";
import { flatFieldNames, toFlatRow } from "../../records/flat-row.js";
import { cursorReader, formatOf, type DefineExport } from "../define-export.js";

export interface ListExportParts {
  pool: pg.Pool;
  defineExport: DefineExport;
}

/** Defines the export of every list with the function that reads the list, so that both show the same rows. */
export async function listExportHandlers(
  app: FastifyInstance,
  { pool, defineExport }: ListExportParts,
): Promise<void> {
  defineExport(app, "downloadRuns", {
    noun: "import",
    fileName: () => "import-runs",
    format: formatOf(RunSummary),
    read: ({ organizationId, query }) =>
      cursorReader(query, (asked) => listRuns(pool, { organizationId, ...asked })),
  });

  defineExport(app, "downloadAudit", {
    noun: "audit",
    fileName: () => "audit-log",
    format: formatOf(AuditLine),
    read: ({ organizationId, query }) =>
      cursorReader(query, (asked) => listAudit(pool, { organizationId, ...asked })),
  });

  defineExport(app, "downloadLeads", {
    noun: "lead",
    fileName: () => "leads",
    format: leadFormat,
    rowsPerRead: leadsPerRead,
    read: ({ organizationId, person, params: { format }, query }) =>
      leadReader(pool, { organizationId, reader: person.email, format, ...query }),
  });

  defineExport(app, "downloadRecords", {
    noun: "record",
    fileName: ({ params }) => params.kind,
    format: (format, { params }) => flatRowFormat(flatFieldNames(params.kind), format),
    read: ({ organizationId, params: { kind }, query }) =>
      cursorReader(query, async (asked) => {
        const page = await browseRecords(pool, { organizationId, kind, ...asked });
        return { ...page, data: page.data.map(toFlatRow) };
      }),
  });

  defineExport(app, "downloadLocations", {
    noun: "location",
    fileName: () => "locations",
    format: formatOf(Location),
    read: ({ organizationId, query: { query, sort = "name" } }) =>
      wholeReader(async (pageSize) => {
        const page = { page: 1, pageSize };
        return (await listLocations(pool, { organizationId, query, sort, page })).data;
      }),
  });

  defineExport(app, "downloadOrganizations", {
    noun: "organization",
    fileName: () => "organizations",
    format: formatOf(OrganizationSummary),
    // Only operators may use it, so it lists all organizations.
    read: ({ query: { query, sort } }) =>
      wholeReader(async (pageSize) => {
        const page = { page: 1, pageSize };
        return (await findOrganizations(pool, { userId: null, text: query, sort, page })).data;
      }),
  });

  defineExport(app, "downloadApiKeys", {
    noun: "api-key",
    fileName: () => "api-keys",
    format: formatOf(ConsoleApiKey),
    read: ({ organizationId }) => wholeReader(() => listApiKeys(pool, organizationId)),
  });

  defineExport(app, "downloadMembers", {
    noun: "user",
    fileName: () => "members",
    format: formatOf(Member),
    read: ({ organizationId }) => wholeReader(() => listMembers(pool, organizationId)),
  });
}
