import { ActionIcon, Anchor, Button } from "@mantine/core";
import { importResourceNames } from "@gatehouse-parking/contract";
import type { KeptMapping } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useApi, useChange, useDownload } from "../../core/api/queries.js";
import { choice, type Filter } from "../../core/lists/filters.js";
import { List, useList, type ListDefinition } from "../../core/lists/list.js";
import { kinds } from "../../core/records/record-kinds.js";
import { useMayChange } from "../../core/session/session.js";
import { ConfirmChange } from "../../core/ui/form.js";
import { IconFileUpload, IconTrash } from "../../core/ui/icons.js";
import { Page, Panel } from "../../core/ui/page.js";
import { Empty, Failure } from "../../core/ui/states.js";
import { DataTable, type Column } from "../../core/ui/table.js";
import { isInProgress, UploadStateBadge, uploadStates } from "./upload-status.js";

const list: ListDefinition<"listUploads"> = {
  route: "listUploads",
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
    { header: "Rows", value: (upload) => upload.rows, align: "right", from: "tablet" },
    { header: "Created", value: (upload) => upload.created, align: "right", optional: true },
    { header: "Skipped", value: (upload) => upload.skipped, align: "right", optional: true },
    { header: "Failed", value: (upload) => upload.failed, align: "right" },
    { header: "By", cell: (upload) => upload.createdBy, from: "desktop", breakable: true },
    { header: "Begun", time: (upload) => upload.createdAt, from: "tablet", sort: "time" },
    { header: "Changed", time: (upload) => upload.changedAt, optional: true },
  ],
};

const filters: Filter[] = [
  {
    kind: "choice",
    name: "state",
    label: "State",
    choices: Object.entries(uploadStates).map(([value, { label }]) => ({ value, label })),
  },
  choice(
    "resource",
    "Records",
    Object.fromEntries(importResourceNames.map((name) => [name, kinds[name].plural])),
  ),
];

export default function UploadsPage() {
  const mayChange = useMayChange();
  const found = useList(list, { filters, refetchMs: 5_000 });
  const isMoving = found.answer.data?.data.some(isInProgress) ?? false;
  const newUpload = mayChange ? (
    <Button component={Link} href="/uploads/new" leftSection={<IconFileUpload size={16} />}>
      Upload a file
    </Button>
  ) : null;
  return (
    <Page
      title="Uploads"
      description={
        isMoving
          ? "Files that were uploaded here. The service goes on with them by itself; you can close this page."
          : "Files that were uploaded here."
      }
      actions={newUpload}
    >
      <List
        found={found}
        empty={
          <Empty title="No file has been uploaded yet" action={newUpload}>
            Export transactions, accounts or subscriptions from your parking system, and upload the file as it
            is.
          </Empty>
        }
      />
      <SavedMappings />
    </Page>
  );
}

const columns: Column<KeptMapping>[] = [
  { header: "Name", cell: ({ name }) => name, breakable: true },
  { header: "Records", cell: ({ resource }) => kinds[resource].plural, from: "tablet" },
  { header: "Changed by", cell: ({ changedBy }) => changedBy, from: "desktop", breakable: true },
  { header: "Changed", time: ({ changedAt }) => changedAt, from: "tablet" },
  { header: "Mapping file", cell: (mapping) => <MappingFile mapping={mapping} /> },
];

const removeColumn = (ask: (mapping: KeptMapping) => void): Column<KeptMapping> => ({
  header: "Remove",
  hiddenHeader: true,
  align: "right",
  cell: (mapping) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={`Remove ${mapping.name}`}
      onClick={() => ask(mapping)}
    >
      <IconTrash size={16} />
    </ActionIcon>
  ),
});

/** The organization's saved mappings, to download for gatehouse-push or to remove. */
function SavedMappings() {
  const mayChange = useMayChange();
  const mappings = useApi("listMappings", { query: {} });
  const remove = useChange("removeMapping", { refresh: ["listMappings"] });
  const [confirming, setConfirming] = useState<KeptMapping | null>(null);
  if (mappings.error) return <Failure error={mappings.error} retry={() => void mappings.refetch()} />;
  if (!mappings.data || mappings.data.data.length === 0) return null;
  return (
    <Panel
      title="Kept mappings"
      description="Offered again for files with the same columns. gatehouse-push takes the mapping file."
      flush
    >
      <DataTable
        label="Kept mappings"
        columns={mayChange ? [...columns, removeColumn(setConfirming)] : columns}
        rows={mappings.data.data}
        rowKey={({ uuid }) => uuid}
      />
      <ConfirmChange
        confirmation={
          confirming && {
            title: `Remove “${confirming.name}”?`,
            consequences: "It is no longer offered. Uploads that were made with it are not touched.",
            action: "Remove",
            isDangerous: true,
          }
        }
        change={remove}
        onClose={() => setConfirming(null)}
        variables={{ parameters: { mappingUuid: confirming?.uuid ?? "" } }}
      />
    </Panel>
  );
}

function MappingFile({ mapping }: { mapping: KeptMapping }) {
  const address = useDownload("downloadMapping", { mappingUuid: mapping.uuid });
  return (
    <Anchor href={address} download aria-label={`Download the mapping file of ${mapping.name}`}>
      Download
    </Anchor>
  );
}
