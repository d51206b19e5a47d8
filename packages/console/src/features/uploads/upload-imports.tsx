import { Button, Group } from "@mantine/core";
import type { Upload, UploadRun } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useApi } from "../../core/api/queries.js";
import { Slot } from "../../core/features.js";
import { Panel } from "../../core/ui/page.js";
import { Failure, RowsLoading } from "../../core/ui/states.js";
import { DataTable, type Column } from "../../core/ui/table.js";

const columns: Column<UploadRun>[] = [
  {
    header: "Run",
    cell: ({ referenceUuid, isUndone }) => (
      <Group gap="xs">
        <Link href={`/imports/${referenceUuid}`}>…{referenceUuid.slice(-8)}</Link>
        {isUndone ? <Slot name="undoneBadge" props={{}} /> : null}
      </Group>
    ),
  },
  {
    header: "Lines",
    cell: ({ firstLine, lastLine }) =>
      `${firstLine.toLocaleString("en")} to ${lastLine.toLocaleString("en")}`,
  },
  { header: "Created", cell: ({ created }) => created, align: "right" },
  { header: "Skipped", cell: ({ skipped }) => skipped, align: "right" },
  { header: "Failed", cell: ({ failed }) => failed, align: "right" },
];

/** The imports of an upload. */
export function UploadImports({ upload }: { upload: Upload }) {
  const [after, setAfter] = useState(0);
  const runs = useApi("listUploadRuns", {
    parameters: { uploadUuid: upload.uuid },
    query: { after, limit: 20 },
    enabled: upload.runCount > 0,
  });
  if (upload.runCount === 0) return null;
  return (
    <Panel title="Import runs" description="A file is imported in batches; each is a run of its own." flush>
      {runs.error ? <Failure error={runs.error} retry={() => void runs.refetch()} /> : null}
      {runs.isPending ? <RowsLoading rows={3} /> : null}
      {runs.data ? (
        <>
          <DataTable
            label="Import runs of this file"
            columns={columns}
            rows={runs.data.data}
            rowKey={({ referenceUuid }) => referenceUuid}
            href={({ referenceUuid }) => `/imports/${referenceUuid}`}
          />
          <RowsPaging after={after} nextAfter={runs.data.nextAfter} onChange={setAfter} />
        </>
      ) : null}
    </Panel>
  );
}

/** Paging in the order of the file. */
export function RowsPaging({
  after,
  nextAfter,
  onChange,
}: {
  after: number;
  nextAfter: number | null;
  onChange: (after: number) => void;
}) {
  if (after === 0 && nextAfter === null) return null;
  return (
    <Group justify="space-between" p="sm" px="md">
      <Button variant="default" size="xs" disabled={after === 0} onClick={() => onChange(0)}>
        First
      </Button>
      <Button
        variant="default"
        size="xs"
        disabled={nextAfter === null}
        onClick={() => onChange(nextAfter ?? 0)}
      >
        Next
      </Button>
    </Group>
  );
}
