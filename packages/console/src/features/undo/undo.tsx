import { useDisclosure } from "@mantine/hooks";
import { Alert, Button, List, Modal, ScrollArea, Stack, Text } from "@mantine/core";
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
import { ConfirmForm, type Confirmation } from "../../core/ui/form.js";
import { pluralize } from "../../core/ui/format.js";
import { IconArrowBackUp } from "../../core/ui/icons.js";
import { Failure, RowsLoading } from "../../core/ui/states.js";
import { Moment } from "../../core/ui/time.js";
import { texts } from "./texts.js";

/** Undoes an import after a preview. Hidden if there is nothing left to undo or the period has ended. */
export function UndoButton({ run }: { run: RunDetail }) {
  const isAnythingLeft = run.undone ? run.undone.keptCount > 0 : run.successCount > 0;
  return (
    <PreviewButton texts={texts.import} isPossible={run.undoableUntil !== null && isAnythingLeft}>
      {(close) => <UndoDialog run={run} close={close} />}
    </PreviewButton>
  );
}

function PreviewButton(props: {
  texts: { open: string; title: string };
  isPossible: boolean;
  children: (close: () => void) => ReactNode;
}) {
  const mayChange = useMayChange();
  const [opened, { open, close }] = useDisclosure(false);
  if (!mayChange || !props.isPossible) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconArrowBackUp size={16} />} onClick={open}>
        {props.texts.open}
      </Button>
      <Modal opened={opened} onClose={close} title={props.texts.title} size="lg">
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
          notifications.show({ message: texts.import.done(describeKinds(undone.removed)) });
        },
        onError: (error) => {
          if (!isVersionConflict(error)) return;
          setOutdated(true);
          void preview.refetch();
        },
      },
    );
  }

  if (preview.error) return <Failure error={preview.error} retry={() => void preview.refetch()} />;
  if (preview.data === undefined || preview.isFetching) return <RowsLoading />;
  return (
    <ConfirmForm
      confirmation={confirmationOf(preview.data.removed, <UndoPreviewDetails preview={preview.data} />)}
      failure={
        isOutdated ? (
          <Alert color="yellow" role="alert" p="sm">
            {texts.import.outdated}
          </Alert>
        ) : null
      }
      disabled={preview.data.removed.length === 0}
      onConfirm={() => confirm(preview.data)}
      onClose={close}
      change={undo}
    />
  );
}

function confirmationOf(removed: readonly KindCount[], consequences: ReactNode): Confirmation {
  const count = totalCount(removed);
  return {
    title: texts.import.title,
    consequences: <Stack gap="md">{consequences}</Stack>,
    action: texts.remove(describeTotal(removed)),
    isDangerous: true,
    reversal: texts.reversal,
    ...(count > maxRecordsWithoutTyping && { typed: texts.typed }),
  };
}

/** Who undid the import, and what was removed. */
export function UndoneNotice({ run }: { run: RunDetail }) {
  if (!run.undone) return null;
  const { at, by, removed, keptCount } = run.undone;
  return (
    <Alert color="gray" icon={<IconArrowBackUp size={18} />} title={texts.import.noticeTitle} p="sm">
      {texts.import.notice(by, <Moment value={at} />, describeKinds(removed), texts.kept(keptCount))}
    </Alert>
  );
}

/** Undoes all imports of an upload after a preview. */
export function UndoUploadButton({ upload }: { upload: Upload }) {
  return (
    <PreviewButton texts={texts.upload} isPossible={upload.actions.includes("undo")}>
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
      confirmation={confirmationOf(removed, <UploadPreviewDetails preview={preview.data} />)}
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
      <PreviewSection title={texts.upload.heading}>
        {texts.upload.summary(runs, records, undoneRuns)}
        {previewedRuns < runs ? texts.upload.previewed(previewedRuns) : ""}
      </PreviewSection>
      <RemovedAndKept preview={preview} keptCount={keptCount} />
      <Text size="sm" c="dimmed">
        {texts.upload.until(<Moment value={until} />)}
      </Text>
    </Stack>
  );
}

/** Who undid the upload, the progress, and what was removed. */
export function UndoneUploadNotice({ upload }: { upload: UploadDetail }) {
  if (!upload.undone) return null;
  const { at, by, runs, removed, keptCount } = upload.undone;
  const isDone = upload.state === "finished";
  const title = isDone ? texts.upload.noticeTitle : texts.upload.progress(runs, upload.runCount);
  return (
    <Alert color="gray" icon={<IconArrowBackUp size={18} />} title={title} p="sm">
      {texts.upload.notice(by, <Moment value={at} />, describeKinds(removed), texts.kept(keptCount))}
    </Alert>
  );
}

function UndoPreviewDetails({ preview }: { preview: UndoPreview }) {
  return (
    <>
      <RemovedAndKept preview={preview} keptCount={preview.kept.length} />
      <Text size="sm" c="dimmed">
        {texts.import.until(<Moment value={preview.until} />)}
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
      <PreviewSection title={texts.willBeRemoved}>
        {removed.length > 0 ? texts.removed(describeKinds(removed)) : texts.nothingToRemove}
      </PreviewSection>
      {kept.length > 0 ? (
        <PreviewSection title={texts.willStay(keptCount)}>
          <ScrollArea.Autosize mah={220} tabIndex={0} aria-label={texts.willStayLabel}>
            <List size="sm">
              {kept.map((record) => (
                <List.Item key={record.uuid}>
                  <NamedRecord record={record} />
                  {texts.referredToBy} <RecordNames records={record.referredBy} />
                </List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
          {keptCount > kept.length ? texts.andOthers(keptCount - kept.length) : ""}
        </PreviewSection>
      ) : null}
      {acknowledged.count > 0 ? (
        <PreviewSection title={texts.acknowledged(acknowledged.count)}>
          {texts.acknowledgedHelp(
            <RecordNames records={acknowledged.examples} />,
            acknowledged.count > acknowledged.examples.length,
          )}
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
      <NamedRecord record={record} /> (
      <Link href={`/imports/${record.referenceUuid}`}>{texts.itsImport}</Link>)
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
