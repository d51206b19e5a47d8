import { Alert } from "@mantine/core";
import type { UploadDetail } from "@gatehouse-parking/contract/console";
import { kindsInWords } from "../../undo/in-words.js";
import { keptInWords } from "../../undo/undone-notice.js";
import { IconArrowBackUp } from "../../ui/icons.js";
import { Moment } from "../../ui/time.js";

/** Who had the upload taken back, how far that is, and what has become of what it created. */
export function UploadUndone({ upload }: { upload: UploadDetail }) {
  if (!upload.undone) return null;
  const { at, by, runs, removed, keptCount } = upload.undone;
  const isDone = upload.state === "finished";
  const title = isDone
    ? "This upload was taken back"
    : `Taken back so far: ${runs.toLocaleString("en")} of ${upload.runCount.toLocaleString("en")} runs`;
  return (
    <Alert color="gray" icon={<IconArrowBackUp size={18} />} title={title} p="sm">
      By {by}, <Moment value={at} />. Removed: {kindsInWords(removed) || "nothing"}.{keptInWords(keptCount)}{" "}
      The counts and rows below are those of the import.
    </Alert>
  );
}
