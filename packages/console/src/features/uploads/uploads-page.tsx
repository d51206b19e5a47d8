import { Button } from "@mantine/core";
import { importResourceNames } from "@gatehouse-parking/contract";
import type { Upload, UploadsQuery, UploadState } from "@gatehouse-parking/contract/console";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { DataList } from "../../core/lists/data-list.js";
import { byTime, type ListDefinition } from "../../core/lists/list-definition.js";
import { readNamed } from "../../core/lists/list-state.js";
import { kinds } from "../../core/records/record-kinds.js";
import { useMayChange } from "../../core/session/session.js";
import { Filters, SelectFilter } from "../../core/ui/filters.js";
import { IconFileUpload } from "../../core/ui/icons.js";
import { Page } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Empty } from "../../core/ui/states.js";
import { Time } from "../../core/ui/time.js";
import { SavedMappings } from "./saved-mappings.js";
import { isInProgress, UploadStateBadge } from "./upload-status.js";

const list: ListDefinition<Upload> = {
  name: "uploads",
  label: "Uploads",
  rowKey: (upload) => upload.uuid,
  href: (upload) => `/uploads/${upload.uuid}`,
  usualSort: "newest",
  exported: { route: "downloadUploads" },
  columns: [
    {
      header: "File",
      cell: (upload) => <Link href={`/uploads/${upload.uuid}`}>{upload.fileName}</Link>,
      breakable: true,
    },
    { header: "Records", cell: (upload) => kinds[upload.resource].plural, from: "tablet" },
    { header: "State", cell: (upload) => <UploadStateBadge upload={upload} /> },
    { header: "Rows", cell: (upload) => upload.rows.toLocaleString("en"), align: "right", from: "tablet" },
    {
      header: "Created",
      cell: (upload) => upload.created.toLocaleString("en"),
      align: "right",
      optional: true,
    },
    {
      header: "Skipped",
      cell: (upload) => upload.skipped.toLocaleString("en"),
      align: "right",
      optional: true,
    },
    { header: "Failed", cell: (upload) => upload.failed.toLocaleString("en"), align: "right" },
    { header: "By", cell: (upload) => upload.createdBy, from: "desktop", breakable: true },
    { header: "Begun", cell: (upload) => <Time value={upload.createdAt} />, from: "tablet", sort: byTime },
    { header: "Changed", cell: (upload) => <Time value={upload.changedAt} />, optional: true },
  ],
};

const stateLabels: Record<UploadState, string> = {
  receiving: "Receiving",
  received: "Received",
  waiting: "Waiting",
  working: "Working",
  paused: "Paused",
  finished: "Finished",
  stopped: "Stopped",
  cancelled: "Cancelled",
};

const refreshMs = 5_000;

export default function UploadsPage() {
  const { params } = useQueryState();
  const mayChange = useMayChange();
  const listQuery = readNamed(params, ["state", "resource", "sort", "before", "after"]) as UploadsQuery;
  const uploads = useApi("listUploads", { query: listQuery, refetchMs: refreshMs });
  const moving = uploads.data?.data.filter(isInProgress).length ?? 0;
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
          ? "Files that were uploaded here."
          : "Files that were uploaded here. The service goes on with them by itself; you can close this page."
      }
      actions={mayChange ? newUpload : null}
    >
      <Filters>
        <SelectFilter
          name="state"
          label="State"
          choices={Object.entries(stateLabels).map(([value, label]) => ({ value, label }))}
        />
        <SelectFilter
          name="resource"
          label="Records"
          choices={importResourceNames.map((value) => ({ value, label: kinds[value].plural }))}
        />
      </Filters>
      <DataList
        list={list}
        query={uploads}
        listQuery={listQuery}
        empty={
          <Empty title="No file has been uploaded yet" action={mayChange ? newUpload : null}>
            Export transactions, accounts or subscriptions from your parking system, and upload the file as it
            is.
          </Empty>
        }
      />
      <SavedMappings />
    </Page>
  );
}
