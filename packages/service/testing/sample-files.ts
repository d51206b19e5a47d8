import { createHash } from "node:crypto";
import type { ConsoleOperationName } from "@gatehouse-parking/contract/console";
import { headerShape } from "@gatehouse-parking/record-files";
import type pg from "pg";
import type { TestApp } from "./harness.js";

/** A file of one piece, and the checksum to compare it with at the end. */
export const sampleFile = Buffer.from("transactionId\nT-1\n");
export const sampleDigest = digest(digest(sampleFile)).toString("hex");

function digest(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

interface SampleFiles {
  organizationId: string;
  uploadUuid: string;
  mappingUuid: string;
}

/** Operations that need the file in a state other than received. */
const wantedStates: Partial<Record<ConsoleOperationName, string>> = {
  sendUploadPiece: "receiving",
  completeUpload: "receiving",
  pauseUpload: "waiting",
  resumeUpload: "paused",
  previewUploadUndo: "finished",
  undoUpload: "finished",
  correctUploadRows: "finished",
};

/** Resets the uploaded file and the mapping of a sample organization to the state that an operation needs. */
export async function renewSampleFiles(
  { database }: TestApp,
  { organizationId, uploadUuid, mappingUuid }: SampleFiles,
  name?: ConsoleOperationName,
): Promise<void> {
  const { work } = database;
  const state = (name && wantedStates[name]) ?? "received";
  const received = name === "sendUploadPiece" ? 0 : sampleFile.length;
  const key = [organizationId, uploadUuid];
  await work.query("delete from upload_queue where upload_id = $1", [uploadUuid]);
  await work.query("delete from uploads where organization_id = $1", [organizationId]);
  await work.query("delete from upload_pieces where organization_id = $1 and upload_id = $2", key);
  await work.query("delete from upload_batches where organization_id = $1", [organizationId]);
  await work.query("delete from upload_corrections where organization_id = $1", [organizationId]);
  await work.query("delete from mappings where organization_id = $1", [organizationId]);
  await work.query(
    `insert into uploads (organization_id, id, file_name, size_bytes, received_bytes, resource, state, columns, created_by)
     values ($1, $2, 'sessions.csv', $3, $4, 1, $5, '["transactionId"]', 'somebody@example.com')`,
    [...key, sampleFile.length, received, state],
  );
  if (state === "finished") await importSample(work, key, name === "correctUploadRows");
  if (received > 0)
    await work.query(
      "insert into upload_pieces (organization_id, upload_id, byte_offset, sha256, content) values ($1, $2, 0, $3, $4)",
      [...key, digest(sampleFile), sampleFile],
    );
  await work.query(
    "insert into upload_queue (upload_id, organization_id, is_wanted, expires_at) values ($2, $1, $3, now() + interval '1 day')",
    [...key, state === "waiting"],
  );
  await work.query(
    `insert into mappings (organization_id, id, name, name_key, resource, shape, columns, mapping, changed_by)
     values ($1, $2, 'Garage', 'garage', 1, $3, '["Ticket"]', '{"columns":{"Ticket":"transactionId"}}',
             'somebody@example.com')`,
    [organizationId, mappingUuid, headerShape(["Ticket"])],
  );
}

/** As if the organization's first import had imported the upload, whose only row was created or failed. */
async function importSample(work: pg.Pool, key: string[], isFailed: boolean): Promise<void> {
  const [created, failed] = isFailed ? [0, 1] : [1, 0];
  await work.query(
    `update uploads set pass = 'import', decided_rows = 1, created_count = $3, failed_count = $4, run_count = 1
     where organization_id = $1 and id = $2`,
    [...key, created, failed],
  );
  const { rows } = await work.query<{ id: string }>(
    "select id from import_runs where organization_id = $1 order by id limit 1",
    key.slice(0, 1),
  );
  await work.query(
    `insert into upload_batches (organization_id, upload_id, pass_number, first_row, row_count, first_line, last_line, run_id,
       created_count, skipped_count, failed_count, rows)
     values ($1, $2, 0, 0, 1, 2, 2, $3, $4, 0, $5, $6)`,
    [
      ...key,
      rows[0]?.id,
      created,
      failed,
      isFailed ? '[[2,4,null,5,"type is required","T-1",["T-1"]]]' : "[]",
    ],
  );
}
