import { Alert, Button, Modal, Stack, Text } from "@mantine/core";
import {
  maxRecordsWithoutTyping,
  type Upload,
  type UploadDetail,
  type UploadUndoPreview,
} from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useChange } from "../../core/api/queries.js";
import { useMayChange } from "../../core/session/session.js";
import { ConfirmForm } from "../../core/ui/confirm.js";
import { pluralize } from "../../core/ui/format.js";
import { IconArrowBackUp } from "../../core/ui/icons.js";
import { Failure, RowsLoading } from "../../core/ui/states.js";
import { Moment } from "../../core/ui/time.js";
import { describeKept } from "./undo-import.js";
import { describeKinds, describeTotal, PreviewSection, RemovedAndKept, totalCount } from "./undo-preview.js";

/** Undoes all imports of an upload after a preview. */
export function UndoUploadButton({ upload }: { upload: Upload }) {
  const mayChange = useMayChange();
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  if (!mayChange || !upload.actions.includes("undo")) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => setOpened(true)}>
        Take back
      </Button>
      <Modal opened={opened} onClose={close} title="Take this upload back?" size="lg">
        <UndoUploadDialog upload={upload} close={close} />
      </Modal>
    </>
  );
}

/** Queries that show an upload or its imports. */
const affectedQueries = [
  ...(["getUpload", "listUploads", "listUploadRuns", "listUploadFailures"] as const),
  ...(["listRuns", "previewUploadUndo"] as const),
];

function UndoUploadDialog({ upload, close }: { upload: Upload; close: () => void }) {
  const parameters = { uploadUuid: upload.uuid };
  const preview = useApi("previewUploadUndo", { parameters });
  const undo = useChange("undoUpload", { refresh: [...affectedQueries] });
  if (preview.error) return <Failure error={preview.error} retry={() => void preview.refetch()} />;
  if (preview.data === undefined || preview.isFetching) return <RowsLoading />;
  const { removed } = preview.data;
  return (
    <ConfirmForm
      confirmation={{
        consequences: <UploadPreviewDetails preview={preview.data} />,
        action: `Remove ${describeTotal(removed)}`,
        isDangerous: true,
        ...(totalCount(removed) > maxRecordsWithoutTyping && { typed: "undo" }),
      }}
      onConfirm={() => undo.mutate({ parameters }, { onSuccess: close })}
      onCancel={close}
      isPending={undo.isPending}
      error={undo.error}
    />
  );
}

function UploadPreviewDetails({ preview }: { preview: UploadUndoPreview }) {
  const { runs, records, undoneRuns, previewedRuns, keptCount, until } = preview;
  return (
    <Stack gap="md">
      <PreviewSection title="This upload">
        {pluralize(runs, "run")} that created {pluralize(records, "record")}.
        {undoneRuns > 0 ? ` ${pluralize(undoneRuns, "run")} already undone.` : ""}
        {previewedRuns < runs
          ? ` Records that other imports refer to stay; only the newest ${pluralize(previewedRuns, "run")} were checked for this.`
          : ""}
      </PreviewSection>
      <RemovedAndKept preview={preview} keptCount={keptCount} />
      <Text size="sm" c="dimmed">
        Runs in the background, newest run first. The runs stay in the list, marked as taken back. The file is
        deleted: to import it again, upload it again. Possible until <Moment value={until} />.
      </Text>
    </Stack>
  );
}

/** Who undid the upload, the progress, and what was removed. */
export function UndoneUploadNotice({ upload }: { upload: UploadDetail }) {
  if (!upload.undone) return null;
  const { at, by, runs, removed, keptCount } = upload.undone;
  const isDone = upload.state === "finished";
  const title = isDone
    ? "This upload was taken back"
    : `Taken back so far: ${runs.toLocaleString("en")} of ${upload.runCount.toLocaleString("en")} runs`;
  return (
    <Alert color="gray" icon={<IconArrowBackUp size={18} />} title={title} p="sm">
      By {by}, <Moment value={at} />. Removed: {describeKinds(removed) || "nothing"}.{describeKept(keptCount)}{" "}
      The counts and rows below are those of the import.
    </Alert>
  );
}
