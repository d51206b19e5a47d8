import type { ImportRun } from "@gatehouse-parking/contract";
import type { UploadProblem } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction } from "../../../core/database/transaction.js";
import type { RowOutcome } from "../../uploads/outcomes.js";
import { idMadeAt } from "./seeded-random.js";
import type { SampleRecord } from "./sample-records.js";

const columns = ["transactionId", "locationUuid", "type", "transactionDate", "amountTotal"];
const fileName = "till-export.csv";
const keptDays = 7;
/** The header row comes before the first row. */
const headingLines = 1;

/** Stores the finished upload that an import belongs to. */
export async function storeUpload(
  pool: pg.Pool,
  input: {
    organizationId: string;
    at: number;
    by: string;
    run: ImportRun;
    records: readonly SampleRecord[];
  },
): Promise<void> {
  const { organizationId, at, by, run, records } = input;
  const uploadId = idMadeAt(at);
  const rows = run.results.map((result, index): RowOutcome => {
    const cells = columns.map((name) => String(records[index]?.[name] ?? ""));
    const { status, uuid = null, reasonCode = null, errorDetail = null, reference } = result;
    return [index + 1 + headingLines, status, uuid, reasonCode, errorDetail, reference, cells];
  });
  const bytes = Buffer.byteLength(
    [columns, ...rows.map((row) => row[6])].map((cells) => cells.join()).join("\n"),
  );
  const kept = JSON.stringify(rows);
  await transaction(pool, async (client) => {
    await client.query(
      `insert into uploads (
         organization_id, id, file_name, size_bytes, received_bytes, is_file_kept, kept_bytes, resource, state, pass,
         pass_number, mapping, columns, read_bytes, decided_rows, created_count, skipped_count, failed_count, run_count,
         problems, total_rows, created_by, created_at, changed_at
       )
       values ($1, $2, $3, $4, $4, false, $5, $6, 'finished', 'import', 1, '{"columns":{}}', $7, $4, $8, $9, $10, $11, 1,
               $12, $8, $13, $14, $14)`,
      [
        organizationId,
        uploadId,
        fileName,
        bytes,
        Buffer.byteLength(kept),
        run.resource,
        JSON.stringify(columns),
        run.totalSubmitted,
        run.successCount,
        run.skippedCount,
        run.failedCount,
        JSON.stringify(problemsOf(rows)),
        by,
        new Date(at),
      ],
    );
    await client.query(
      `insert into upload_batches (
         organization_id, upload_id, pass_number, first_row, row_count, first_line, last_line, run_id,
         created_count, skipped_count, failed_count, rows
       )
       values ($1, $2, 1, 0, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        organizationId,
        uploadId,
        rows.length,
        1 + headingLines,
        rows.length + headingLines,
        run.referenceUuid,
        run.successCount,
        run.skippedCount,
        run.failedCount,
        kept,
      ],
    );
  });
  await pool.query(
    `insert into upload_queue (upload_id, organization_id, expires_at)
     values ($1, $2, now() + make_interval(days => ${keptDays}))`,
    [uploadId, organizationId],
  );
}

function problemsOf(rows: readonly RowOutcome[]): UploadProblem[] {
  return rows.flatMap(([line, , , reasonCode, message]) => {
    if (message === null || reasonCode === null || reasonCode === 1) return [];
    const [field = "", ...words] = message.split(" ");
    return [{ field, message: words.join(" "), reasonCode, example: null, line, count: 1 }];
  });
}
