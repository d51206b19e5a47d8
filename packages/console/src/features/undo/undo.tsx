import { useDisclosure } from "@mantine/hooks";
import { Alert, Button, Group, List, Modal, ScrollArea, Stack, Text } from "@mantine/core";
import {
  type KindCount,
  maxRecordsWithoutTyping,
  type RecordOfRun,
  type RunDetail,
  type UndoPreview,
  type Upload,
  type UploadDetail,
  type UploadUndoPreview,
} from "@gatehouse-parking/contract/console";
import { type ReactNode, useState } from "react";
import { notifications } from "@mantine/notifications";
import { Link } from "wouter";
import { isVersionConflict } from "../../core/api/errors.js";
import { useApi, useChange } from "../../core/api/queries.js";
import { recordFacts } from "../../core/records/record-facts.js";
import { useMayChange } from "../../core/session/session.js";
import { ConfirmForm } from "../../core/ui/form.js";
import { pluralize } from "../../core/ui/format.js";
import { IconArrowBackUp } from "../../core/ui/icons.js";
import { Failure, RowsLoading } from "../../core/ui/states.js";
import { Moment } from "../../core/ui/time.js";

/** Undoes an import after a preview. Hidden if there is nothing left to undo or the period has ended. */
export function UndoButton({ run }: { run: RunDetail }) {
  const isAnythingLeft = run.undone ? run.undone.keptCount > 0 : run.successCount > 0;
  return (
    <PreviewButton title="Take this run back?" isPossible={run.undoableUntil !== null && isAnythingLeft}>
      {(close) => <UndoDialog run={run} close={close} />}
    </PreviewButton>
  );
}

function PreviewButton(props: {
  title: string;
  isPossible: boolean;
  children: (close: () => void) => ReactNode;
}) {
  const mayChange = useMayChange();
  const [opened, { open, close }] = useDisclosure(false);
  if (!mayChange || !props.isPossible) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={open}>
        Take back
      </Button>
      <Modal opened={opened} onClose={close} title={props.title} size="lg">
        {props.children(close)}
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
      <Failure error={isOutdated ? null : undo.error} />
      <Failure error={preview.error} retry={() => void preview.refetch()} />
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

function describeKept(count: number): string {
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

/** Undoes all imports of an upload after a preview. */
export function UndoUploadButton({ upload }: { upload: Upload }) {
  return (
    <PreviewButton title="Take this upload back?" isPossible={upload.actions.includes("undo")}>
      {(close) => <UndoUploadDialog upload={upload} close={close} />}
    </PreviewButton>
  );
}

/** Queries that show an upload or its imports. */
const affectedUploadQueries = [
  ...(["getUpload", "listUploads", "listUploadRuns", "listUploadFailures"] as const),
  ...(["listRuns", "previewUploadUndo"] as const),
];

function UndoUploadDialog({ upload, close }: { upload: Upload; close: () => void }) {
  const parameters = { uploadUuid: upload.uuid };
  const preview = useApi("previewUploadUndo", { parameters });
  const undo = useChange("undoUpload", { refresh: [...affectedUploadQueries] });
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
      onClose={close}
      change={undo}
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

function UndoPreviewDetails({ preview }: { preview: UndoPreview }) {
  return (
    <>
      <RemovedAndKept preview={preview} keptCount={preview.kept.length} />
      <Text size="sm" c="dimmed">
        The run stays in the list, marked as taken back, and the API answers it as before. Possible until{" "}
        <Moment value={preview.until} />.
      </Text>
    </>
  );
}

/** `keptCount` may be larger than the number of listed records. */
function RemovedAndKept({
  preview: { removed, kept, acknowledged },
  keptCount,
}: {
  preview: Pick<UndoPreview, "removed" | "kept" | "acknowledged">;
  keptCount: number;
}) {
  return (
    <>
      <PreviewSection title="Will be removed">
        {removed.length > 0
          ? `${describeKinds(removed)}. They are gone for good; the same keys can be imported again.`
          : "Nothing: something refers to everything that is left."}
      </PreviewSection>
      {kept.length > 0 ? (
        <PreviewSection title={`Will stay: ${pluralize(keptCount, "record")} that others refer to`}>
          <ScrollArea.Autosize mah={220} tabIndex={0} aria-label="What will stay">
            <List size="sm">
              {kept.map((record) => (
                <List.Item key={record.uuid}>
                  <NamedRecord record={record} />, referred to by <RecordNames records={record.referredBy} />
                </List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
          {keptCount > kept.length ? `and ${pluralize(keptCount - kept.length, "other")}.` : ""}
        </PreviewSection>
      ) : null}
      {acknowledged.count > 0 ? (
        <PreviewSection title={`Told to be stored: ${pluralize(acknowledged.count, "record")}`}>
          They were sent again later, and that run was answered that they are stored. They will be gone all
          the same: <RecordNames records={acknowledged.examples} />
          {acknowledged.count > acknowledged.examples.length ? " and others" : ""}.
        </PreviewSection>
      ) : null}
    </>
  );
}

function PreviewSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Text size="sm" fw={600} component="h3">
        {title}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </section>
  );
}

function RecordNames({ records }: { records: readonly RecordOfRun[] }) {
  return records.map((record, index) => (
    <span key={record.uuid}>
      {index > 0 ? ", " : ""}
      <NamedRecord record={record} /> (<Link href={`/imports/${record.referenceUuid}`}>its run</Link>)
    </span>
  ));
}

function NamedRecord({ record }: { record: Pick<RecordOfRun, "kind" | "uuid" | "reference"> }) {
  return (
    <>
      {recordFacts[record.kind].singular}{" "}
      <Link href={`/records/${record.kind}/${record.uuid}`}>{record.reference || record.uuid}</Link>
    </>
  );
}

/** 500 transactions, 1 account */
function describeKinds(kinds: readonly KindCount[]): string {
  return kinds.map(({ kind, count }) => pluralize(count, recordFacts[kind].singular)).join(", ");
}

function describeTotal(kinds: readonly KindCount[]): string {
  return pluralize(totalCount(kinds), "record");
}

function totalCount(kinds: readonly KindCount[]): number {
  return kinds.reduce((sum, { count }) => sum + count, 0);
}
