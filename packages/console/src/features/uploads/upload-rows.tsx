import { Button, Group } from "@mantine/core";
import { reasonName } from "@gatehouse-parking/contract";
import type {
  Upload,
  UploadDetail,
  UploadFailure,
  UploadProblem,
  UploadRun,
} from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useApi, useDownload } from "../../core/api/queries.js";
import { Slot } from "../../core/features.js";
import { DownloadButton } from "../../core/ui/buttons.js";
import { pluralize } from "../../core/ui/format.js";
import { Panel } from "../../core/ui/page.js";
import { Loaded, RowsLoading } from "../../core/ui/states.js";
import { type Column, DataTable } from "../../core/ui/table.js";

/** Failed rows: grouped by problem, and as they are in the file. */
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
          <DownloadButton address={download} size="xs">
            Download failed rows
          </DownloadButton>
        }
        flush
      >
        <Loaded query={failures} loading={<RowsLoading rows={3} />}>
          {(loaded) => (
            <>
              <DataTable
                label="Failed rows"
                columns={columnsOf(upload.columns ?? [])}
                rows={loaded.data}
                rowKey={({ row }) => String(row)}
              />
              <RowsPaging after={after} nextAfter={loaded.nextAfter} onChange={setAfter} />
            </>
          )}
        </Loaded>
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

const columns: Column<UploadProblem>[] = [
  { header: "Rows", value: ({ count }) => count, align: "right" },
  { header: "Field", cell: ({ field }) => (field === "" ? "whole row" : field), breakable: true },
  {
    header: "What is wrong",
    cell: ({ field, message }) => (field === "" ? message : `${field} ${message}`),
    wrap: true,
  },
  {
    header: "In the file, for example",
    cell: ({ example, line }) => (example === null ? `line ${line}` : `“${example}” in line ${line}`),
    wrap: true,
  },
  {
    header: "Reason",
    cell: ({ reasonCode }) => (reasonCode === null ? "Not sent" : reasonName(reasonCode)),
    from: "desktop",
  },
];

/** Problems of failed rows by field and message, the most frequent first. */
export function UploadProblems({ upload }: { upload: UploadDetail }) {
  if (upload.problems.length === 0) return null;
  return (
    <>
      <DataTable
        label="What is wrong"
        columns={columns}
        rows={upload.problems}
        rowKey={({ field, message, reasonCode }) => `${field} ${message} ${reasonCode}`}
      />
      {upload.otherProblemRows > 0 ? (
        <p>{pluralize(upload.otherProblemRows, "row")} with other problems.</p>
      ) : null}
    </>
  );
}

const runColumns: Column<UploadRun>[] = [
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
      <Loaded query={runs} loading={<RowsLoading rows={3} />}>
        {(loaded) => (
          <>
            <DataTable
              label="Import runs of this file"
              columns={runColumns}
              rows={loaded.data}
              rowKey={({ referenceUuid }) => referenceUuid}
              href={({ referenceUuid }) => `/imports/${referenceUuid}`}
            />
            <RowsPaging after={after} nextAfter={loaded.nextAfter} onChange={setAfter} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** Paging in the order of the file. */
function RowsPaging({
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
