import { Button } from "@mantine/core";
import type { Upload } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../../api/queries.js";
import { kinds } from "../../records/kinds.js";
import { useMayChange } from "../../session/session.js";
import { IconFileUpload } from "../../ui/icons.js";
import { CursorList } from "../../ui/list.js";
import { Page } from "../../ui/page.js";
import { useQueryState } from "../../ui/query-state.js";
import { Empty } from "../../ui/states.js";
import type { Column } from "../../ui/table.js";
import { Time } from "../../ui/time.js";
import { isMoving, UploadStateBadge } from "../upload/upload-looks.js";
import { KeptMappings } from "./kept-mappings.js";

const columns: Column<Upload>[] = [
  {
    header: "File",
    cell: (upload) => <Link href={`/uploads/${upload.uuid}`}>{upload.fileName}</Link>,
    breakable: true,
  },
  { header: "Records", cell: (upload) => kinds[upload.resource].plural, from: "tablet" },
  { header: "State", cell: (upload) => <UploadStateBadge upload={upload} /> },
  { header: "Rows", cell: (upload) => upload.rows.toLocaleString("en"), align: "right", from: "tablet" },
  { header: "Failed", cell: (upload) => upload.failed.toLocaleString("en"), align: "right" },
  { header: "By", cell: (upload) => upload.createdBy, from: "desktop", breakable: true },
  { header: "Begun", cell: (upload) => <Time value={upload.createdAt} />, from: "tablet" },
];

const lookAgainMs = 5_000;

export default function UploadsPage() {
  const { params } = useQueryState();
  const mayChange = useMayChange();
  const before = params.get("before");
  const uploads = useApi("listUploads", {
    query: before === null ? {} : { before },
    refetchMs: lookAgainMs,
  });
  const moving = uploads.data?.data.filter(isMoving).length ?? 0;
  const newUpload = (
    <Button component={Link} href="/uploads/new" leftSection={<IconFileUpload size={16} />}>
      Upload a file
    </Button>
  );
  return (
    <Page
      title="Uploads"
      description={
        moving === 0
          ? "Files that were uploaded here, newest first."
          : "Files that were uploaded here, newest first. The service goes on with them by itself; you can close this page."
      }
      actions={mayChange ? newUpload : null}
    >
      <CursorList
        label="Uploads"
        query={uploads}
        columns={columns}
        rowKey={(upload) => upload.uuid}
        href={(upload) => `/uploads/${upload.uuid}`}
        empty={
          <Empty title="No file has been uploaded yet" action={mayChange ? newUpload : null}>
            Export transactions, accounts or subscriptions from your parking system, and upload the file as it
            is.
          </Empty>
        }
      />
      <KeptMappings />
    </Page>
  );
}
