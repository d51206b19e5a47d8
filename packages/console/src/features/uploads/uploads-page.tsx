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
import { isInProgress, UploadStatusBadge } from "./upload-status.js";
import { texts as mappingTexts } from "./mapping/texts.js";
import { texts } from "./texts.js";

const list: ListDefinition<"listUploads"> = {
  route: "listUploads",
  name: "uploads",
  label: texts.title,
  rowKey: (upload) => upload.uuid,
  href: (upload) => `/uploads/${upload.uuid}`,
  usualSort: "newest",
  exported: { route: "downloadUploads" },
  columns: [
    {
      header: texts.columns.file,
      cell: (upload) => <Link href={`/uploads/${upload.uuid}`}>{upload.fileName}</Link>,
      breakable: true,
    },
    { header: texts.columns.records, cell: (upload) => kinds[upload.resource].plural, from: "tablet" },
    { header: texts.columns.status, cell: (upload) => <UploadStatusBadge upload={upload} /> },
    { header: texts.columns.rows, value: (upload) => upload.rows, align: "right", from: "tablet" },
    { header: texts.columns.created, value: (upload) => upload.created, align: "right", optional: true },
    { header: texts.columns.skipped, value: (upload) => upload.skipped, align: "right", optional: true },
    { header: texts.columns.failed, value: (upload) => upload.failed, align: "right" },
    { header: texts.columns.by, cell: (upload) => upload.createdBy, from: "desktop", breakable: true },
    { header: texts.columns.started, time: (upload) => upload.createdAt, from: "tablet", sort: "time" },
    { header: texts.columns.changed, time: (upload) => upload.changedAt, optional: true },
  ],
};

const filters: Filter[] = [
  {
    kind: "choice",
    name: "state",
    label: texts.columns.status,
    choices: Object.entries(texts.statuses).map(([value, { label }]) => ({ value, label })),
  },
  choice(
    "resource",
    texts.columns.records,
    Object.fromEntries(importResourceNames.map((name) => [name, kinds[name].plural])),
  ),
];

export default function UploadsPage() {
  const mayChange = useMayChange();
  const found = useList(list, { filters, refetchMs: 5_000 });
  const isMoving = found.answer.data?.data.some(isInProgress) ?? false;
  const newUpload = mayChange ? (
    <Button component={Link} href="/uploads/new" leftSection={<IconFileUpload size={16} />}>
      {texts.uploadFile}
    </Button>
  ) : null;
  return (
    <Page
      title={texts.title}
      description={isMoving ? texts.descriptionInProgress : texts.description}
      actions={newUpload}
    >
      <List
        found={found}
        empty={
          <Empty title={texts.empty.title} action={newUpload}>
            {texts.empty.text}
          </Empty>
        }
      />
      <SavedMappings />
    </Page>
  );
}

const columns: Column<KeptMapping>[] = [
  { header: mappingTexts.mappings.name, cell: ({ name }) => name, breakable: true },
  { header: texts.columns.records, cell: ({ resource }) => kinds[resource].plural, from: "tablet" },
  {
    header: mappingTexts.mappings.changedBy,
    cell: ({ changedBy }) => changedBy,
    from: "desktop",
    breakable: true,
  },
  { header: texts.columns.changed, time: ({ changedAt }) => changedAt, from: "tablet" },
  { header: mappingTexts.mappings.file, cell: (mapping) => <MappingFile mapping={mapping} /> },
];

const removeColumn = (ask: (mapping: KeptMapping) => void): Column<KeptMapping> => ({
  header: texts.page.remove,
  hiddenHeader: true,
  align: "right",
  cell: (mapping) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={mappingTexts.mappings.removeOf(mapping.name)}
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
    <Panel title={mappingTexts.mappings.title} description={mappingTexts.mappings.description} flush>
      <DataTable
        label={mappingTexts.mappings.title}
        columns={mayChange ? [...columns, removeColumn(setConfirming)] : columns}
        rows={mappings.data.data}
        rowKey={({ uuid }) => uuid}
      />
      <ConfirmChange
        confirmation={
          confirming && {
            title: mappingTexts.mappings.removeTitle(confirming.name),
            consequences: mappingTexts.mappings.removeConsequences,
            action: mappingTexts.mappings.removeAction,
            isDangerous: true,
            reversal: null,
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
    <Anchor href={address} download aria-label={mappingTexts.mappings.downloadOf(mapping.name)}>
      {mappingTexts.mappings.download}
    </Anchor>
  );
}
