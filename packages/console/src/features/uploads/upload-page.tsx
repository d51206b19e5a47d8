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
import { UploadFailures, UploadImports } from "./upload-rows.js";
import { uploadQueries, UploadStateBadge, UploadStatus, useUpload } from "./upload-status.js";

export default function UploadPage() {
  const { uploadUuid = "" } = useParams();
  const upload = useUpload(uploadUuid);
  if (upload.data) return <LoadedUpload upload={upload.data} />;
  return (
    <UnloadedPage title="Upload" query={upload}>
      Uploads are kept for a while after their last change, and then removed. Their import runs stay.
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
          {upload.fileName} <UploadStateBadge upload={upload} />
        </Group>
      }
      description={`${kinds[upload.resource].plural}, sent by ${upload.createdBy}`}
      actions={<UploadActions upload={upload} />}
    >
      {upload.state === "receiving" ? (
        <Alert color="yellow" p="sm">
          {formatBytes(upload.receivedBytes)} of {formatBytes(upload.size)} have arrived. If it is not being
          sent at this moment, choose Continue sending and then the same file: only what is missing is sent.
        </Alert>
      ) : null}
      <Slot name="uploadNotices" props={{ upload }} />
      <UploadStatus upload={upload} />
      <UploadFailures upload={upload} />
      <UploadImports upload={upload} />
      <Panel title="About this upload">
        <Facts
          items={[
            ["Sent by", upload.createdBy],
            ["Begun", <Moment key="created" value={upload.createdAt} />],
            ["Last change", <Moment key="changed" value={upload.changedAt} />],
            ["Size", formatBytes(upload.size)],
            ["Read as", upload.reading],
            [
              "Kept until",
              <span key="kept">
                <Moment value={upload.keptUntil} />
                {storage.data ? `, ${storage.data.keptDays} days after its last change` : ""}
              </span>,
            ],
            upload.mapping
              ? [
                  "Mapping",
                  <JsonText
                    key="mapping"
                    text={JSON.stringify(upload.mapping)}
                    label="Mapping"
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

const confirmations: Readonly<Partial<Record<UploadAction, Confirmation>>> = {
  cancel: {
    title: "Cancel this upload?",
    consequences:
      "It stops after the batch at hand, and the file is dropped. Records that were imported stay. This cannot be undone.",
    action: "Cancel the upload",
    isDangerous: true,
  },
  remove: {
    title: "Remove this upload?",
    consequences: "The file, and what is kept of its rows, is removed. Its import runs and records stay.",
    action: "Remove",
    isDangerous: true,
  },
};

const cancelUndo: Confirmation = {
  title: "Stop taking this upload back?",
  consequences: "It stops after the run at hand. What is removed by then stays removed.",
  action: "Stop",
  isDangerous: true,
};

/** The actions that the upload's state allows. */
function UploadActions({ upload }: { upload: UploadDetail }) {
  const mayChange = useMayChange();
  const [, navigate] = useLocation();
  const [confirming, setConfirming] = useState<UploadAction | null>(null);
  const outcomes = useDownload("downloadUploadOutcomes", { uploadUuid: upload.uuid });
  const refresh = [...uploadQueries];
  const start = useChange("startUpload", { refresh });
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
      <Failure error={start.error ?? pause.error ?? resume.error} />
      {can("send") ? (
        <Button component={Link} href={`/uploads/new?upload=${upload.uuid}`}>
          Continue sending
        </Button>
      ) : null}
      {can("start") && !can("send") ? (
        <Button component={Link} href={`/uploads/new?upload=${upload.uuid}`} variant="default">
          {upload.mapping ? "Change the mapping" : "Map the columns"}
        </Button>
      ) : null}
      {can("start") && isChecked(upload) ? (
        <Button
          loading={start.isPending}
          onClick={() =>
            start.mutate({
              parameters,
              body: {
                validateOnly: false,
                mapping: upload.mapping ?? {},
                ignoreUnknownColumns: upload.ignoreUnknownColumns,
              },
            })
          }
        >
          Import the file
        </Button>
      ) : null}
      {can("pause") ? (
        <Button variant="default" loading={pause.isPending} onClick={() => pause.mutate({ parameters })}>
          Pause
        </Button>
      ) : null}
      {can("resume") ? (
        <Button loading={resume.isPending} onClick={() => resume.mutate({ parameters })}>
          Resume
        </Button>
      ) : null}
      {can("cancel") ? (
        <Button variant="default" onClick={() => setConfirming("cancel")}>
          Cancel
        </Button>
      ) : null}
      <Slot name="uploadActions" props={{ upload }} />
      {upload.rows > 0 ? <DownloadButton address={outcomes}>All outcomes</DownloadButton> : null}
      {can("remove") ? (
        <Button variant="subtle" color="red" onClick={() => setConfirming("remove")}>
          Remove
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
