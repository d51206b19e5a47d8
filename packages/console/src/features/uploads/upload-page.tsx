import { Alert, Button, Group } from "@mantine/core";
import type { Upload, UploadAction, UploadDetail } from "@gatehouse-parking/contract/console";
import { Link, useLocation, useParams } from "wouter";
import { useState } from "react";
import { useApi, useChange, useDownload } from "../../core/api/queries.js";
import { Slot } from "../../core/features.js";
import { kinds } from "../../core/records/record-kinds.js";
import { useMayChange } from "../../core/session/session.js";
import { Confirm, type Confirmation } from "../../core/ui/form.js";
import { DownloadButton } from "../../core/ui/buttons.js";
import { JsonText } from "../../core/ui/copyable.js";
import { Facts } from "../../core/ui/facts.js";
import { formatBytes } from "../../core/ui/format.js";
import { Page, Panel, UnloadedPage } from "../../core/ui/page.js";
import { Failure } from "../../core/ui/states.js";
import { Moment } from "../../core/ui/time.js";
import { UploadFindings } from "./findings/upload-findings.js";
import { UploadCorrections } from "./correct/corrections-panel.js";
import { UploadConflicts, UploadFailures, UploadImports } from "./upload-rows.js";
import { uploadQueries, UploadStatusBadge, UploadStatus, useUpload } from "./upload-status.js";
import { texts } from "./texts.js";

export default function UploadPage() {
  const { uploadUuid = "" } = useParams();
  const upload = useUpload(uploadUuid);
  if (upload.data) return <LoadedUpload upload={upload.data} />;
  return (
    <UnloadedPage title={texts.page.unloaded} query={upload}>
      {texts.page.notFound}
    </UnloadedPage>
  );
}

function LoadedUpload({ upload }: { upload: UploadDetail }) {
  const storage = useApi("getUploadStorage");
  return (
    <Page
      title={upload.fileName}
      heading={
        <Group gap="sm">
          {upload.fileName} <UploadStatusBadge upload={upload} />
        </Group>
      }
      description={texts.page.description(kinds[upload.resource].plural, upload.createdBy)}
      actions={<UploadActions upload={upload} />}
    >
      {upload.state === "receiving" ? (
        <Alert color="yellow" p="sm">
          {texts.page.incomplete(upload.receivedBytes, upload.size)}
        </Alert>
      ) : null}
      <Slot name="uploadNotices" props={{ upload }} />
      <UploadStatus upload={upload} />
      <UploadFindings upload={upload} />
      <UploadConflicts upload={upload} />
      <UploadFailures upload={upload} />
      <ImportChecked upload={upload} />
      <UploadCorrections upload={upload} />
      <UploadImports upload={upload} />
      <Panel title={texts.details.title}>
        <Facts
          items={[
            [texts.details.sentBy, upload.createdBy],
            [texts.columns.started, <Moment key="created" value={upload.createdAt} />],
            [texts.details.changed, <Moment key="changed" value={upload.changedAt} />],
            [texts.details.size, formatBytes(upload.size)],
            [texts.details.format, upload.reading],
            [
              texts.details.keptUntil,
              <span key="kept">
                <Moment value={upload.keptUntil} />
                {storage.data ? texts.details.keptDays(storage.data.keptDays) : ""}
              </span>,
            ],
            upload.mapping
              ? [
                  texts.details.mapping,
                  <JsonText
                    key="mapping"
                    text={JSON.stringify(upload.mapping)}
                    label={texts.details.mapping}
                    maxHeight={320}
                  />,
                  "wide",
                ]
              : null,
          ]}
        />
      </Panel>
    </Page>
  );
}

/** The import of a file that was checked, below what the check has found. */
function ImportChecked({ upload }: { upload: UploadDetail }) {
  const mayChange = useMayChange();
  const start = useChange("startUpload", { refresh: [...uploadQueries] });
  if (!mayChange || !upload.actions.includes("start") || !isChecked(upload)) return null;
  const { uuid: uploadUuid, mapping, ignoreUnknownColumns } = upload;
  return (
    <Panel
      title={texts.page.importTitle}
      description={texts.import.ready}
      actions={
        <Button
          loading={start.isPending}
          onClick={() =>
            start.mutate({
              parameters: { uploadUuid },
              body: { validateOnly: false, mapping: mapping ?? {}, ignoreUnknownColumns },
            })
          }
        >
          {texts.page.import}
        </Button>
      }
    >
      <Failure error={start.error} />
    </Panel>
  );
}

const confirmations: Readonly<Partial<Record<UploadAction, Confirmation>>> = {
  cancel: { ...texts.cancel, isDangerous: true, reversal: null },
  remove: { ...texts.remove, isDangerous: true, reversal: null },
};

const cancelUndo: Confirmation = { ...texts.cancelUndo, isDangerous: true, reversal: null };

/** The actions that the upload's state allows. */
function UploadActions({ upload }: { upload: UploadDetail }) {
  const mayChange = useMayChange();
  const [, navigate] = useLocation();
  const [confirming, setConfirming] = useState<UploadAction | null>(null);
  const outcomes = useDownload("downloadUploadOutcomes", { uploadUuid: upload.uuid });
  const refresh = [...uploadQueries];
  const pause = useChange("pauseUpload", { refresh });
  const resume = useChange("resumeUpload", { refresh });
  const cancel = useChange("cancelUpload", { refresh });
  const remove = useChange("removeUpload", { refresh: ["listUploads"] });
  const can = (action: UploadAction) => mayChange && upload.actions.includes(action);
  const parameters = { uploadUuid: upload.uuid };
  const confirmed = confirming === "remove" ? remove : cancel;
  const onConfirmed = () => {
    setConfirming(null);
    if (confirming === "remove") navigate("/uploads");
  };
  const confirmation =
    confirming === "cancel" && upload.pass === "undo" ? cancelUndo : confirming && confirmations[confirming];

  return (
    <>
      <Failure error={pause.error ?? resume.error} />
      {can("send") ? (
        <Button component={Link} href={`/uploads/new?upload=${upload.uuid}`}>
          {texts.page.continue}
        </Button>
      ) : null}
      {can("start") && !can("send") ? (
        <Button component={Link} href={`/uploads/new?upload=${upload.uuid}`} variant="default">
          {upload.mapping ? texts.page.changeMapping : texts.page.mapColumns}
        </Button>
      ) : null}
      {can("pause") ? (
        <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate({ parameters })}>
          {texts.page.pause}
        </Button>
      ) : null}
      {can("resume") ? (
        <Button loading={resume.isPending} onClick={() => resume.mutate({ parameters })}>
          {texts.page.resume}
        </Button>
      ) : null}
      {can("cancel") ? (
        <Button variant="default" onClick={() => setConfirming("cancel")}>
          {texts.page.cancel}
        </Button>
      ) : null}
      <Slot name="uploadActions" props={{ upload }} />
      {upload.rows > 0 ? <DownloadButton address={outcomes}>{texts.page.allOutcomes}</DownloadButton> : null}
      {can("remove") ? (
        <Button variant="subtle" color="red" onClick={() => setConfirming("remove")}>
          {texts.page.remove}
        </Button>
      ) : null}
      <Confirm
        confirmation={confirmation ?? null}
        change={confirmed}
        onClose={() => setConfirming(null)}
        onConfirm={() => confirmed.mutate({ parameters }, { onSuccess: onConfirmed })}
      />
    </>
  );
}

/** Checked completely, with something to import. */
export function isChecked({ pass, state, created, skipped }: Upload): boolean {
  return pass === "check" && state === "finished" && created + skipped > 0;
}
