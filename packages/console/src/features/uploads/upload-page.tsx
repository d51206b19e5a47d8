import { Alert, Group } from "@mantine/core";
import type { UploadDetail } from "@gatehouse-parking/contract/console";
import { useParams } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { Slot } from "../../core/features.js";
import { kinds } from "../../core/records/record-kinds.js";
import { JsonText } from "../../core/ui/copyable.js";
import { Facts } from "../../core/ui/facts.js";
import { formatBytes } from "../../core/ui/format.js";
import { Page, Panel, UnloadedPage } from "../../core/ui/page.js";
import { Moment } from "../../core/ui/time.js";
import { UploadActions } from "./upload-actions.js";
import { UploadFailures } from "./upload-failures.js";
import { UploadImports } from "./upload-imports.js";
import { UploadStateBadge, UploadStatus } from "./upload-status.js";
import { useUpload } from "./use-upload.js";

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
