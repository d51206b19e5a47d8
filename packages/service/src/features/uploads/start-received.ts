import type { Upload } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction } from "../../core/database/transaction.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import { resumeUpload, startUpload, type UploadStart } from "./change-state.js";
import type { UploadSettings } from "./limits.js";
import { mappingNamed } from "./mappings.js";
import { completeUpload } from "./receive-file.js";
import { findUpload, resourceNameOf, toUpload, type UploadRow } from "./uploads.js";

export interface ReceivedStart extends UploadStart {
  /** The name of a saved mapping, instead of the mapping itself. */
  mappingName?: string | undefined;
  sha256?: string | undefined;
}

/**
 * What a program needs of completing, starting and resuming, as one action that is safe to repeat: a request whose answer was lost
 * does not begin a second time, and an import that the service has stopped goes on.
 */
export function startReceivedUpload(
  pool: pg.Pool,
  settings: UploadSettings,
  { mappingName, sha256, ...start }: ReceivedStart,
): Promise<Upload> {
  const { mapping, organizationId } = start;
  if (mappingName !== undefined && mapping !== undefined)
    throw invalidInput("Send either mappingName or mapping, not both");
  return transaction(pool, async (client) => {
    const upload = await findUpload(client, start, "for update");
    const resource = resourceNameOf(upload);
    const named =
      mappingName && (await mappingNamed(client, { organizationId, name: mappingName, resource }));
    const wanted = { ...start, mapping: named || mapping };
    if (isSamePass(upload, wanted)) {
      if (["waiting", "working"].includes(upload.state)) return toUpload(upload, settings.uploadKeptDays);
      if (upload.state === "stopped" && upload.created_count > 0)
        return resumeUpload(client, settings, wanted);
    }
    if (upload.state === "receiving") await completeUpload(client, settings, { ...start, sha256 });
    return startUpload(client, settings, wanted);
  });
}

function isSamePass(
  upload: UploadRow,
  { validateOnly, mapping, ignoreUnknownColumns }: UploadStart,
): boolean {
  return (
    upload.pass === (validateOnly ? "check" : "import") &&
    upload.mapping === JSON.stringify(mapping ?? {}) &&
    upload.ignore_unknown_columns === (ignoreUnknownColumns ?? false)
  );
}
