import { Button, Modal, Stack, Text } from "@mantine/core";
import {
  maxRecordsWithoutTyping,
  type Upload,
  type UploadUndoPreview,
} from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useChange } from "../../api/queries.js";
import { sumOf, total } from "../../undo/in-words.js";
import { Part, WhatGoesAndStays } from "../../undo/shown-preview.js";
import { ConfirmForm } from "../../ui/confirm.js";
import { counted } from "../../ui/counted.js";
import { IconArrowBackUp } from "../../ui/icons.js";
import { Failure, RowsLoading } from "../../ui/states.js";
import { Moment } from "../../ui/time.js";
import { uploadViews } from "./upload-views.js";

/** Takes all that an upload has imported back, once it was shown what that does. */
export function UndoUploadButton({ upload }: { upload: Upload }) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
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

function UndoUploadDialog({ upload, close }: { upload: Upload; close: () => void }) {
  const parameters = { uploadUuid: upload.uuid };
  const preview = useApi("previewUploadUndo", { parameters });
  const undo = useChange("undoUpload", { refresh: [...uploadViews, "previewUploadUndo"] });
  if (preview.error) return <Failure error={preview.error} retry={() => void preview.refetch()} />;
  if (preview.data === undefined || preview.isFetching) return <RowsLoading />;
  const { removed } = preview.data;
  return (
    <ConfirmForm
      confirmation={{
        consequences: <ShownUploadPreview preview={preview.data} />,
        action: `Remove ${total(removed)}`,
        isDangerous: true,
        ...(sumOf(removed) > maxRecordsWithoutTyping && { typed: "undo" }),
      }}
      onConfirm={() => undo.mutate({ parameters }, { onSuccess: close })}
      onCancel={close}
      isPending={undo.isPending}
      error={undo.error}
    />
  );
}

function ShownUploadPreview({ preview }: { preview: UploadUndoPreview }) {
  const { runs, records, undoneRuns, previewedRuns, keptCount, until } = preview;
  return (
    <Stack gap="md">
      <Part title="This upload">
        {counted(runs, "run")} that created {counted(records, "record")}.
        {undoneRuns > 0 ? ` ${counted(undoneRuns, "run")} already undone.` : ""}
        {previewedRuns < runs
          ? ` Records that other imports refer to stay; only the newest ${counted(previewedRuns, "run")} were checked for this.`
          : ""}
      </Part>
      <WhatGoesAndStays preview={preview} keptCount={keptCount} />
      <Text size="sm" c="dimmed">
        Runs in the background, newest run first. The runs stay in the list, marked as taken back. The file is
        deleted: to import it again, upload it again. Possible until <Moment value={until} />.
      </Text>
    </Stack>
  );
}
