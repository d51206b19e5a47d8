import { Alert, Group } from "@mantine/core";
import type { UploadDetail } from "@gatehouse-parking/contract/console";
import { useParams } from "wouter";
import { isNotFound } from "../../api/failure.js";
import { useApi } from "../../api/queries.js";
import { kinds } from "../../records/kinds.js";
import { JsonText } from "../../ui/code.js";
import { Facts } from "../../ui/facts.js";
import { Page } from "../../ui/page.js";
import { Panel } from "../../ui/panel.js";
import { Empty, Failure, RowsLoading } from "../../ui/states.js";
import { Moment } from "../../ui/time.js";
import { UploadActions } from "./upload-actions.js";
import { UploadFailures } from "./upload-failures.js";
import { sizeText } from "../../ui/size.js";
import { UploadStateBadge } from "./upload-looks.js";
import { UploadRuns } from "./upload-runs.js";
import { UploadStatus } from "./upload-status.js";
import { UploadUndone } from "./upload-undone.js";
import { useUpload } from "./use-upload.js";

export default function UploadPage() {
  const { uploadUuid = "" } = useParams();
  const upload = useUpload(uploadUuid);
  if (upload.data) return <LoadedUpload upload={upload.data} />;
  return (
    <Page title="Upload">
      {upload.isPending ? <RowsLoading /> : null}
      {isNotFound(upload.error) ? (
        <Empty title="Upload not found">
          Uploads are kept for a while after their last change, and then removed. Their import runs stay.
        </Empty>
      ) : upload.error ? (
        <Failure error={upload.error} retry={() => void upload.refetch()} />
      ) : null}
    </Page>
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
          {sizeText(upload.receivedBytes)} of {sizeText(upload.size)} have arrived. If it is not being sent at
          this moment, choose Continue sending and then the same file: only what is missing is sent.
        </Alert>
      ) : null}
      <UploadUndone upload={upload} />
      <UploadStatus upload={upload} />
      <UploadFailures upload={upload} />
      <UploadRuns upload={upload} />
      <Panel title="About this upload">
        <Facts
          items={[
            ["Sent by", upload.createdBy],
            ["Begun", <Moment key="created" value={upload.createdAt} />],
            ["Last change", <Moment key="changed" value={upload.changedAt} />],
            ["Size", sizeText(upload.size)],
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
