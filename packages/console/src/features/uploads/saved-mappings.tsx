import { ActionIcon, Anchor } from "@mantine/core";
import type { KeptMapping } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useChange, useDownload } from "../../core/api/queries.js";
import { kinds } from "../../core/records/record-kinds.js";
import { useMayChange } from "../../core/session/session.js";
import { Confirm } from "../../core/ui/confirm.js";
import { IconTrash } from "../../core/ui/icons.js";
import { Panel } from "../../core/ui/page.js";
import { Failure } from "../../core/ui/states.js";
import { DataTable, type Column } from "../../core/ui/table.js";
import { Time } from "../../core/ui/time.js";

const columns: Column<KeptMapping>[] = [
  { header: "Name", cell: ({ name }) => name, breakable: true },
  { header: "Records", cell: ({ resource }) => kinds[resource].plural, from: "tablet" },
  { header: "Changed by", cell: ({ changedBy }) => changedBy, from: "desktop", breakable: true },
  { header: "Changed", cell: ({ changedAt }) => <Time value={changedAt} />, from: "tablet" },
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
export function SavedMappings() {
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
      <Confirm
        confirmation={
          confirming && {
            title: `Remove “${confirming.name}”?`,
            consequences: "It is no longer offered. Uploads that were made with it are not touched.",
            action: "Remove",
            isDangerous: true,
          }
        }
        isPending={remove.isPending}
        error={remove.error}
        onCancel={() => setConfirming(null)}
        onConfirm={() => {
          if (confirming)
            remove.mutate(
              { parameters: { mappingUuid: confirming.uuid } },
              { onSuccess: () => setConfirming(null) },
            );
        }}
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
