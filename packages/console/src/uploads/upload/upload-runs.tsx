import { Group } from "@mantine/core";
import type { Upload, UploadRun } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useApi } from "../../api/queries.js";
import { UndoneBadge } from "../../undo/undone-notice.js";
import { Panel } from "../../ui/panel.js";
import { Failure, RowsLoading } from "../../ui/states.js";
import { DataTable, type Column } from "../../ui/table.js";
import { RowsPaging } from "./rows-paging.js";

const columns: Column<UploadRun>[] = [
  {
    header: "Run",
    cell: ({ referenceUuid, isUndone }) => (
      <Group gap="xs">
        <Link href={`/imports/${referenceUuid}`}>…{referenceUuid.slice(-8)}</Link>
        {isUndone ? <UndoneBadge /> : null}
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

/** The import runs that an upload has become. */
export function UploadRuns({ upload }: { upload: Upload }) {
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
