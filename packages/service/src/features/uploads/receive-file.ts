import { importResources, type ImportResourceName, type Quotas } from "@gatehouse-parking/contract";
import type { Upload, UploadDetail } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { writeAudit, type Actor, actorName } from "../../core/audit/audit.js";
import { requireOrganization } from "../../core/organizations/organizations.js";
import { describeStorageShortage, readStored } from "../../core/organizations/quotas.js";
import { invalidInput, conflictError, requireText } from "../../core/refusals/user-error.js";
import { uuidv7 } from "../../core/uuidv7.js";
import { maxFileNameLength } from "./row-outcome.js";
import { megabytes, showUploadStorage, type UploadSettings } from "./limits.js";
import { enlist } from "./queue.js";
import {
  findUpload,
  toDetail,
  toUpload,
  uploadColumns,
  type UploadKey,
  type UploadRow,
} from "./upload-row.js";

export interface NewUpload {
  organizationId: string;
  fileName: string;
  size: number;
  resource: ImportResourceName;
  actor: Actor;
}

/** Makes room for a file that is about to be sent, if the limits of the organization allow it. */
export async function createUpload(
  client: pg.PoolClient,
  settings: UploadSettings,
  input: NewUpload,
): Promise<Upload> {
  const { organizationId, size, actor } = input;
  const fileName = requireText("fileName", input.fileName, maxFileNameLength);
  if (!Number.isSafeInteger(size) || size < 1) throw invalidInput("size must be a number of bytes from 1");
  await requireOrganization(client, organizationId);
  // Those that come at the same moment are counted one after the other.
  const { rows: organizations } = await client.query<{ quotas: Quotas | null }>(
    "select quotas from organizations where id = $1 for no key update",
    [organizationId],
  );
  await requireRoom(client, settings, organizationId, size);
  await requireStorage(client, organizationId, { limit: organizations[0]?.quotas?.storageBytes, size });
  const uploadId = uuidv7();
  const { rows } = await client.query<UploadRow>(
    `insert into uploads (organization_id, id, file_name, size_bytes, resource, created_by)
     values ($1, $2, $3, $4, $5, $6) returning ${uploadColumns}`,
    [organizationId, uploadId, fileName, size, importResources[input.resource].resource, actorName(actor)],
  );
  await enlist(client, { organizationId, uploadId }, settings.uploadKeptDays);
  await writeAudit(client, {
    organizationId,
    actor,
    action: "upload.create",
    subjectId: uploadId,
    detail: { fileName, size, resource: input.resource },
  });
  return toUpload(rows[0] as UploadRow, settings.uploadKeptDays);
}

async function requireRoom(
  client: pg.PoolClient,
  settings: UploadSettings,
  organizationId: string,
  size: number,
): Promise<void> {
  const storage = await showUploadStorage(client, settings, organizationId);
  if (size > storage.maxFileBytes)
    throw conflictError(
      `The file has ${megabytes(size)}; a file may have at most ${megabytes(storage.maxFileBytes)}`,
    );
  if (storage.uploads >= storage.maxUploads)
    throw conflictError(
      `The organization has ${storage.uploads} uploads, and may have ${storage.maxUploads}; remove some of them`,
    );
  if (storage.storedBytes + size > storage.maxStoredBytes)
    throw conflictError(
      `The uploads of the organization take ${megabytes(storage.storedBytes)} of ${megabytes(storage.maxStoredBytes)}; with this file they would take more. Remove some of them`,
    );
}

async function requireStorage(
  client: pg.PoolClient,
  organizationId: string,
  { limit, size }: { limit: number | undefined; size: number },
): Promise<void> {
  if (limit === undefined) return;
  const lack = await describeStorageShortage(await readStored(client, organizationId), limit, size);
  if (lack !== undefined)
    throw conflictError(`${lack}, and this file would add ${size.toLocaleString("en")}`);
}

export async function showUpload(
  pool: pg.Pool,
  settings: UploadSettings,
  key: UploadKey,
): Promise<UploadDetail> {
  return toDetail(await findUpload(pool, key), settings.uploadKeptDays);
}

/** What an earlier request has made. */
export async function findCreated(
  client: pg.PoolClient,
  settings: UploadSettings,
  key: UploadKey,
): Promise<Upload> {
  return toUpload(await findUpload(client, key), settings.uploadKeptDays);
}
