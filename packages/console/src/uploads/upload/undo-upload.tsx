import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { Upload, UploadUndoPreview } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useChange } from "../../api/queries.js";
import { Part, WhatGoesAndStays } from "../../undo/shown-preview.js";
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
  const isFresh = preview.data !== undefined && !preview.isFetching;
  return (
    <Stack gap="md">
      {undo.error ? <Failure error={undo.error} /> : null}
      {preview.error ? <Failure error={preview.error} retry={() => void preview.refetch()} /> : null}
      {isFresh ? <ShownUploadPreview preview={preview.data} /> : preview.error ? null : <RowsLoading />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        {isFresh ? (
          <Button
            color="red"
            loading={undo.isPending}
            onClick={() => undo.mutate({ parameters }, { onSuccess: close })}
          >
            Take back {counted(preview.data.runs, "run")}
          </Button>
        ) : null}
      </Group>
    </Stack>
  );
}

function ShownUploadPreview({ preview }: { preview: UploadUndoPreview }) {
  const { runs, records, undoneRuns, previewedRuns, keptCount, until } = preview;
  return (
    <>
      <Part title="This upload">
        {counted(runs, "run")} that created {counted(records, "record")}.
        {undoneRuns > 0 ? ` ${counted(undoneRuns, "run")} of them taken back already.` : ""}
        {previewedRuns < runs
          ? ` Only the newest ${counted(previewedRuns, "run")} were looked at for what follows; the others are taken back too.`
          : ""}
      </Part>
      <WhatGoesAndStays preview={preview} keptCount={keptCount} />
      <Text size="sm" c="dimmed">
        It happens in the background, the newest run first, by what refers to each record then. The runs stay
        in the list, marked as taken back; what became of the rows stays with this upload. The file is
        dropped: to import it again, upload it again. Possible until <Moment value={until} />.
      </Text>
    </>
  );
}
