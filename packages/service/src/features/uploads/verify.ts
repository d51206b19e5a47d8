import { batchCheck } from "../../core/verify/batches.js";
import { statementCheck, summary, type Check } from "../../core/verify/check.js";

export const uploadChecks: readonly Check[] = [
  statementCheck(
    "counters: uploads keep what became of each row that is decided",
    summary(`
      select upload.id, coalesce(kept.rows, 0) as read,
             coalesce(kept.rows, 0) <> upload.decided_rows
               or upload.decided_rows <> upload.created_count + upload.skipped_count + upload.failed_count as is_wrong
      from uploads as upload
      left join (
        select upload_id, pass_number, sum(row_count) as rows
        from upload_batches where organization_id = $1 group by 1, 2
      ) as kept on kept.upload_id = upload.id and kept.pass_number = upload.pass_number
      where upload.organization_id = $1`),
    "uploads",
  ),
  // After an upload is removed, its batches are deleted a little later.
  {
    ...batchCheck(
      "links: upload_batches.upload_id names one of uploads, in its current pass",
      {
        table: "upload_batches",
        key: [
          { name: "upload_id", type: "uuid" },
          { name: "pass_number", type: "integer" },
          { name: "first_row", type: "bigint" },
        ],
        columns: [],
      },
      `left join lateral (
     select true as found from uploads as upload
     where upload.organization_id = $1 and upload.id = batch.upload_id and upload.pass_number = batch.pass_number
     limit 1
   ) as upload on true
   where upload.found is null`,
    ),
    inExportsOnly: true,
  },
];
