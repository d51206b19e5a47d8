import { importResources } from "@gatehouse-parking/contract";
import type { BothWaysPage, Upload, UploadsQuery } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { readingOf, listConditions } from "../../core/paging/pages.js";
import { boundedPageBothWays } from "../../core/paging/bounded-page.js";
import type { UploadSettings } from "./limits.js";
import { listedColumns, toUpload, type ListedUpload } from "./upload-row.js";

export interface UploadFilters extends UploadsQuery {
  organizationId: string;
  limit: number;
}

export async function listUploads(
  pool: pg.Pool,
  settings: UploadSettings,
  filters: UploadFilters,
): Promise<BothWaysPage<Upload>> {
  const conditions = listConditions(filters.organizationId);
  conditions.indexed(filters.before, (id) => `record.id < ${id}::uuid`);
  conditions.indexed(filters.after, (id) => `record.id > ${id}::uuid`);
  conditions.other(filters.state, (state) => `record.state = ${state}`);
  conditions.other(
    filters.resource && importResources[filters.resource].resource,
    (resource) => `record.resource = ${resource}::smallint`,
  );
  const { where, ...others } = conditions.parts();
  return boundedPageBothWays<ListedUpload & pg.QueryResultRow, Upload>(
    pool,
    {
      source: `from uploads as record where ${where}`,
      columns: listedColumns,
      ...others,
      order: ["id"],
      limit: filters.limit,
      toItem: (row) => toUpload(row, settings.uploadKeptDays),
    },
    readingOf(filters),
  );
}
