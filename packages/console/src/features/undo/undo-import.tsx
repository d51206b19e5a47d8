import { Alert, Button, Group, Modal, Stack } from "@mantine/core";
import type { RunDetail, UndoPreview } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { notifications } from "@mantine/notifications";
import { isVersionConflict } from "../../core/api/errors.js";
import { useApi, useChange } from "../../core/api/queries.js";
import { useMayChange } from "../../core/session/session.js";
import { pluralize } from "../../core/ui/format.js";
import { IconArrowBackUp } from "../../core/ui/icons.js";
import { Failure, RowsLoading } from "../../core/ui/states.js";
import { Moment } from "../../core/ui/time.js";
import { describeKinds, describeTotal, UndoPreviewDetails } from "./undo-preview.js";

/** Undoes an import after a preview. Hidden if there is nothing left to undo or the period has ended. */
export function UndoButton({ run }: { run: RunDetail }) {
  const mayChange = useMayChange();
  const [opened, setOpened] = useState(false);
  const isAnythingLeft = run.undone ? run.undone.keptCount > 0 : run.successCount > 0;
  if (!mayChange || run.undoableUntil === null || !isAnythingLeft) return null;
  const close = () => setOpened(false);
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={() => setOpened(true)}>
        Take back
      </Button>
      <Modal opened={opened} onClose={close} title="Take this run back?" size="lg">
        <UndoDialog run={run} close={close} />
      </Modal>
    </>
  );
}

/** Queries that show or count records. */
const affectedQueries = [
  ...(["getRun", "listRuns", "previewUndo", "search", "listRecords", "getRecord"] as const),
  ...(["getOutcomes", "getLocalDays", "getLocalHours"] as const),
];

/** The preview of the undo, and its confirmation. */
function UndoDialog({ run, close }: { run: RunDetail; close: () => void }) {
  const parameters = { referenceUuid: run.referenceUuid };
  const preview = useApi("previewUndo", { parameters });
  const undo = useChange("undoRun", { refresh: [...affectedQueries] });
  const [isOutdated, setOutdated] = useState(false);

  function confirm({ version }: UndoPreview) {
    setOutdated(false);
    undo.mutate(
      { parameters, body: { version } },
      {
        onSuccess: (undone) => {
          close();
          notifications.show({ message: `Taken back. Removed: ${describeKinds(undone.removed)}.` });
        },
        onError: (error) => {
          if (!isVersionConflict(error)) return;
          setOutdated(true);
          void preview.refetch();
        },
      },
    );
  }

  const isFresh = preview.data !== undefined && !preview.isFetching;
  return (
    <Stack gap="md">
      {isOutdated ? (
        <Alert color="yellow" role="alert" p="sm">
          Something was imported or taken back in the meantime, so nothing was removed. This is what would
          happen now:
        </Alert>
      ) : null}
      {undo.error && !isOutdated ? <Failure error={undo.error} /> : null}
      {preview.error ? <Failure error={preview.error} retry={() => void preview.refetch()} /> : null}
      {isFresh ? <UndoPreviewDetails preview={preview.data} /> : preview.error ? null : <RowsLoading />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        {isFresh && preview.data.removed.length > 0 ? (
          <Button color="red" loading={undo.isPending} onClick={() => confirm(preview.data)}>
            Remove {describeTotal(preview.data.removed)}
          </Button>
        ) : null}
      </Group>
    </Stack>
  );
}

export function describeKept(count: number): string {
  if (count === 0) return "";
  return ` ${pluralize(count, "record")} stayed, because something else refers to ${count === 1 ? "it" : "them"}.`;
}

/** Who undid the import, and what was removed. */
export function UndoneNotice({ run }: { run: RunDetail }) {
  if (!run.undone) return null;
  const { at, by, removed, keptCount } = run.undone;
  return (
    <Alert color="gray" icon={<IconArrowBackUp size={18} />} title="This run was taken back" p="sm">
      By {by}, <Moment value={at} />. Removed: {describeKinds(removed)}.{describeKept(keptCount)} The results
      below are those that were answered when the batch was sent.
    </Alert>
  );
}
