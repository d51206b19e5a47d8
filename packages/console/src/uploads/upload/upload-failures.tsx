import { Button } from "@mantine/core";
import { reasonName } from "@gatehouse-parking/contract";
import type { UploadDetail, UploadFailure } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useApi, useDownload } from "../../api/queries.js";
import { IconDownload } from "../../ui/icons.js";
import { Panel } from "../../ui/panel.js";
import { Failure, RowsLoading } from "../../ui/states.js";
import { DataTable, type Column } from "../../ui/table.js";
import { RowsPaging } from "./rows-paging.js";
import { UploadProblems } from "./upload-problems.js";

/** The rows that failed: grouped, and each as it is in the file. */
export function UploadFailures({ upload }: { upload: UploadDetail }) {
  const [after, setAfter] = useState(0);
  const parameters = { uploadUuid: upload.uuid };
  const failures = useApi("listUploadFailures", {
    parameters,
    query: { after, limit: 20 },
    enabled: upload.failed > 0,
  });
  const download = useDownload("downloadUploadFailures", parameters);
  if (upload.failed === 0) return null;
  return (
    <>
      <Panel title="Why rows failed" flush>
        <UploadProblems upload={upload} />
      </Panel>
      <Panel
        title="The rows that failed"
        description="As they are in the file. Download them, correct them, and upload the corrected file with the same mapping."
        actions={
          <Button
            component="a"
            href={download}
            download
            variant="default"
            size="xs"
            leftSection={<IconDownload size={14} />}
          >
            Download failed rows
          </Button>
        }
        flush
      >
        {failures.error ? <Failure error={failures.error} retry={() => void failures.refetch()} /> : null}
        {failures.isPending ? <RowsLoading rows={3} /> : null}
        {failures.data ? (
          <>
            <DataTable
              label="Failed rows"
              columns={columnsOf(upload.columns ?? [])}
              rows={failures.data.data}
              rowKey={({ row }) => String(row)}
            />
            <RowsPaging after={after} nextAfter={failures.data.nextAfter} onChange={setAfter} />
          </>
        ) : null}
      </Panel>
    </>
  );
}

function columnsOf(names: readonly string[]): Column<UploadFailure>[] {
  return [
    { header: "Line", cell: ({ line }) => line, align: "right" },
    { header: "What is wrong", cell: ({ message }) => message, wrap: true },
    {
      header: "Reason",
      cell: ({ reasonCode }) => (reasonCode === null ? "Not sent" : reasonName(reasonCode)),
      from: "tablet",
    },
    ...names.map((name, position): Column<UploadFailure> => ({
      header: name,
      cell: ({ cells }) => cells[position] ?? "",
    })),
  ];
}
