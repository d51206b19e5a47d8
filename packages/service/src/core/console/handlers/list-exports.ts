import { Location } from "@gatehouse-parking/contract";
import {
  AuditLine,
  ConsoleApiKey,
  LoggedRequest,
  Member,
  OrganizationSummary,
  RunSummary,
  Upload,
} from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { listAudit } from "../../audit/list-audit.js";
import { wholeReader, type PageReader } from "../../downloads/export-list.js";
import { flatRowFormat, rowFormat, type ExportFormat } from "../../downloads/row-format.js";
import { listRuns } from "../../imports/history/list-runs.js";
import { leadFormat, leadReader, leadsPerRead } from "../../leads/download-leads.js";
import { listLocations } from "../../locations/list-locations.js";
import { listApiKeys } from "../../organizations/api-keys.js";
import { findOrganizations } from "../../organizations/find-organizations.js";
import { listMembers } from "../../organizations/members.js";
import type { AskedPage } from "../../paging/both-ways.js";
import { browseRecords } from "../../records/browse-records.js";
import { flatFieldNames, toFlatRow } from "../../records/flat-row.js";
import { InvalidInput } from "../../refusals/invalid-input.js";
import { listRequests } from "../../../features/request-log/list-requests.js";
import type { RequestLogBounds } from "../../../features/request-log/sweep-request-log.js";
import type { UploadSettings } from "../../../features/uploads/limits.js";
import { listUploads } from "../../../features/uploads/list-uploads.js";
import { exportDesk } from "../define-export.js";

export interface ListExportParts {
  pool: pg.Pool;
  requestLog: RequestLogBounds;
  uploads: UploadSettings;
}

/** Every list as a file: by the verb that the list itself is read with, so that both show the same. */
export async function listExportHandlers(
  app: FastifyInstance,
  { pool, requestLog, uploads }: ListExportParts,
): Promise<void> {
  const defineExport = exportDesk(pool);

  defineExport(app, "downloadRuns", {
    noun: "import",
    fileName: () => "import-runs",
    format: formatOf(RunSummary),
    read: ({ organizationId, query }) =>
      cursorReader(query, (asked) => listRuns(pool, { organizationId, ...asked })),
  });

  defineExport(app, "downloadRequests", {
    noun: "request",
    fileName: () => "requests",
    format: formatOf(LoggedRequest),
    read: ({ organizationId, query }) =>
      cursorReader(query, (asked) => listRequests(pool, { organizationId, ...asked }, requestLog)),
  });

  defineExport(app, "downloadAudit", {
    noun: "audit",
    fileName: () => "audit-log",
    format: formatOf(AuditLine),
    read: ({ organizationId, query }) =>
      cursorReader(query, (asked) => listAudit(pool, { organizationId, ...asked })),
  });

  defineExport(app, "downloadUploads", {
    noun: "upload",
    fileName: () => "uploads",
    format: formatOf(Upload),
    read: ({ organizationId, query }) =>
      cursorReader(query, (asked) => listUploads(pool, uploads, { organizationId, ...asked })),
  });

  defineExport(app, "downloadLeads", {
    noun: "lead",
    fileName: () => "leads",
    format: leadFormat,
    rowsPerRead: leadsPerRead,
    read: ({ organizationId, params: { format }, query }) =>
      leadReader(pool, { organizationId, format, ...query }),
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
    read: ({ organizationId, query: { query, sort } }) =>
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

/** The version of a row is for whoever edits it. */
function formatOf(item: object) {
  return (format: ExportFormat) => rowFormat(item, format, { without: ["version"] });
}

function cursorReader<Query extends AskedPage, Row>(
  query: Query,
  read: (asked: Query & { limit: number }) => ReturnType<PageReader<Row>>,
): PageReader<Row> {
  return (cursor, limit) => read({ ...pageAfter(query, cursor), limit });
}

/** Where the next page of a list begins that is read from one end to the other. */
function pageAfter<Asked extends AskedPage>(asked: Asked, cursor: string | undefined): Asked {
  const [onwards, back, order] =
    asked.sort === "oldest"
      ? (["after", "before", "newest"] as const)
      : (["before", "after", "oldest"] as const);
  if (asked[back] !== undefined)
    throw new InvalidInput(
      `${back} is for the order that begins with the ${order}; use ${onwards}, or turn it around`,
    );
  return { ...asked, [onwards]: cursor ?? asked[onwards] };
}
