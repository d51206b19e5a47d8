import { ActionIcon, Anchor } from "@mantine/core";
import type { KeptMapping } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useChange, useDownload } from "../../api/queries.js";
import { kinds } from "../../records/kinds.js";
import { useMayChange } from "../../session/session.js";
import { Confirm } from "../../ui/confirm.js";
import { IconTrash } from "../../ui/icons.js";
import { Panel } from "../../ui/panel.js";
import { Failure } from "../../ui/states.js";
import { DataTable, type Column } from "../../ui/table.js";
import { Time } from "../../ui/time.js";

const columns: Column<KeptMapping>[] = [
  { header: "Name", cell: ({ name }) => name, breakable: true },
  { header: "Records", cell: ({ resource }) => kinds[resource].plural, from: "tablet" },
  { header: "Changed by", cell: ({ changedBy }) => changedBy, from: "desktop", breakable: true },
  { header: "Changed", cell: ({ changedAt }) => <Time value={changedAt} />, from: "tablet" },
  { header: "Mapping file", cell: (mapping) => <MappingFile mapping={mapping} /> },
];

const removal = (ask: (mapping: KeptMapping) => void): Column<KeptMapping> => ({
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

/** The mappings that the organization has kept: to be downloaded for gatehouse-push, or removed. */
export function KeptMappings() {
  const mayChange = useMayChange();
  const mappings = useApi("listMappings", { query: {} });
  const remove = useChange("removeMapping", { refresh: ["listMappings"] });
  const [asked, setAsked] = useState<KeptMapping | null>(null);
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
        columns={mayChange ? [...columns, removal(setAsked)] : columns}
        rows={mappings.data.data}
        rowKey={({ uuid }) => uuid}
      />
      <Confirm
        confirmation={
          asked && {
            title: `Remove “${asked.name}”?`,
            consequences: "It is no longer offered. Uploads that were made with it are not touched.",
            action: "Remove",
            isDangerous: true,
          }
        }
        isPending={remove.isPending}
        error={remove.error}
        onCancel={() => setAsked(null)}
        onConfirm={() => {
          if (asked)
            remove.mutate({ parameters: { mappingUuid: asked.uuid } }, { onSuccess: () => setAsked(null) });
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
