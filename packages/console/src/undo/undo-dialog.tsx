import { Alert, Button, Group, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { RunDetail, UndoPreview } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { isChangedMeanwhile } from "../api/failure.js";
import { useApi, useChange } from "../api/queries.js";
import { Failure, RowsLoading } from "../ui/states.js";
import { kindsInWords, total } from "./in-words.js";
import { ShownPreview } from "./shown-preview.js";

/** What shows records, or counts them. */
const showing = [
  ...(["getRun", "listRuns", "previewUndo", "search", "listRecords", "getRecord"] as const),
  ...(["getOutcomes", "getLocalDays", "getLocalHours"] as const),
];

/** What taking the run back would do now, and the question whether to do it. */
export function UndoDialog({ run, close }: { run: RunDetail; close: () => void }) {
  const parameters = { referenceUuid: run.referenceUuid };
  const preview = useApi("previewUndo", { parameters });
  const undo = useChange("undoRun", { refresh: [...showing] });
  const [isOutdated, setOutdated] = useState(false);

  function confirm({ version }: UndoPreview) {
    setOutdated(false);
    undo.mutate(
      { parameters, body: { version } },
      {
        onSuccess: (undone) => {
          close();
          notifications.show({ message: `Taken back. Removed: ${kindsInWords(undone.removed)}.` });
        },
        onError: (error) => {
          if (!isChangedMeanwhile(error)) return;
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
      {isFresh ? <ShownPreview preview={preview.data} /> : preview.error ? null : <RowsLoading />}
      <Group justify="flex-end">
        <Button variant="default" onClick={close} data-autofocus>
          Cancel
        </Button>
        {isFresh && preview.data.removed.length > 0 ? (
          <Button color="red" loading={undo.isPending} onClick={() => confirm(preview.data)}>
            Remove {total(preview.data.removed)}
          </Button>
        ) : null}
      </Group>
    </Stack>
  );
}
