import { Group } from "@mantine/core";
import { reasonName } from "@gatehouse-parking/contract";
import type {
  RowChoice,
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
import { useMayChange } from "../../core/session/session.js";
import { DownloadButton } from "../../core/ui/buttons.js";

import { Panel } from "../../core/ui/page.js";
import { Loaded, RowsLoading } from "../../core/ui/states.js";
import { type Column, DataTable } from "../../core/ui/table.js";
import {
  CorrectRows,
  SentCorrections,
  useCorrections,
  type CorrectionState,
} from "./correct/correct-rows.js";
import { texts as correctTexts } from "./correct/texts.js";
import { texts as findingTexts } from "./findings/texts.js";
import { texts } from "./texts.js";
import { PagingBar, PagingButton } from "../../core/ui/paging.js";

/** Failed rows: grouped by problem, and as they are in the file. Admins can correct the rows of an import. */
export function UploadFailures({ upload }: { upload: UploadDetail }) {
  const mayChange = useMayChange();
  const state = useCorrections(upload);
  const isCorrectable = mayChange && upload.actions.includes("correct");
  if (upload.failed === 0) return <SentCorrections sent={state.sending.sent} />;
  return (
    <>
      <SentCorrections sent={state.sending.sent} />
      <Panel title={texts.failures.why} flush>
        <UploadProblems upload={upload} />
      </Panel>
      <RowsOfFile
        upload={upload}
        rows="failed"
        title={texts.failures.title}
        description={
          isCorrectable ? correctTexts.correct.help(upload.failed) : texts.failures.help(upload.failed)
        }
        download={texts.failures.download}
        corrections={isCorrectable ? state : undefined}
      />
    </>
  );
}

/** Rows whose record is stored already, with other values. */
export function UploadConflicts({ upload }: { upload: UploadDetail }) {
  if (upload.conflicts === 0) return null;
  const { title, help, download } = findingTexts.conflicts;
  return <RowsOfFile upload={upload} rows="conflicts" title={title} description={help} download={download} />;
}

interface RowsOfFileProps {
  upload: UploadDetail;
  rows: RowChoice;
  title: string;
  description: string;
  /** The label of the button. */
  download: string;
  /** Present: the cells can be edited. */
  corrections?: CorrectionState | undefined;
}

/** Rows in the columns of the file, with what is wrong. */
function RowsOfFile({ upload, rows, title, description, download, corrections }: RowsOfFileProps) {
  const [after, setAfter] = useState(0);
  const parameters = { uploadUuid: upload.uuid };
  const found = useApi("listUploadFailures", { parameters, query: { after, limit: 20, rows } });
  const address = useDownload("downloadUploadFailures", parameters, { rows });
  return (
    <Panel
      title={title}
      description={description}
      actions={
        <DownloadButton address={address} size="xs">
          {download}
        </DownloadButton>
      }
      flush
    >
      <Loaded query={found} loading={<RowsLoading rows={3} />}>
        {(loaded) => (
          <>
            {corrections ? (
              <CorrectRows upload={upload} rows={loaded.data} state={corrections} />
            ) : (
              <DataTable
                label={title}
                columns={columnsOf(upload.columns ?? [])}
                rows={loaded.data}
                rowKey={({ row }) => String(row)}
              />
            )}
            <RowsPaging after={after} nextAfter={loaded.nextAfter} onChange={setAfter} />
          </>
        )}
      </Loaded>
    </Panel>
  );
}

function columnsOf(names: readonly string[]): Column<UploadFailure>[] {
  return [
    { header: texts.failures.line, cell: ({ line }) => line, align: "right" },
    { header: texts.failures.problem, cell: ({ message }) => message, wrap: true },
    {
      header: texts.failures.reason,
      cell: ({ reasonCode }) => (reasonCode === null ? texts.failures.notSent : reasonName(reasonCode)),
      from: "tablet",
    },
    ...names.map((name, position): Column<UploadFailure> => ({
      header: name,
      cell: ({ cells }) => cells[position] ?? "",
    })),
  ];
}

const columns: Column<UploadProblem>[] = [
  { header: texts.columns.rows, value: ({ count }) => count, align: "right" },
  {
    header: texts.failures.field,
    cell: ({ field }) => (field === "" ? texts.failures.wholeRow : field),
    breakable: true,
  },
  {
    header: texts.failures.problem,
    cell: ({ field, message }) => (field === "" ? message : `${field} ${message}`),
    wrap: true,
  },
  {
    header: texts.failures.example,
    cell: ({ example, line }) =>
      example === null ? texts.failures.inLine(line) : texts.failures.exampleInLine(example, line),
    wrap: true,
  },
  {
    header: texts.failures.reason,
    cell: ({ reasonCode }) => (reasonCode === null ? texts.failures.notSent : reasonName(reasonCode)),
    from: "desktop",
  },
];

/** Problems of failed rows by field and message, the most frequent first. */
export function UploadProblems({ upload }: { upload: UploadDetail }) {
  if (upload.problems.length === 0) return null;
  return (
    <>
      <DataTable
        label={texts.failures.problem}
        columns={columns}
        rows={upload.problems}
        rowKey={({ field, message, reasonCode }) => `${field} ${message} ${reasonCode}`}
      />
      {upload.otherProblemRows > 0 ? <p>{texts.failures.others(upload.otherProblemRows)}</p> : null}
    </>
  );
}

const runColumns: Column<UploadRun>[] = [
  {
    header: texts.imports.import,
    cell: ({ referenceUuid, isUndone }) => (
      <Group gap="xs">
        <Link href={`/imports/${referenceUuid}`}>…{referenceUuid.slice(-8)}</Link>
        {isUndone ? <Slot name="undoneBadge" props={{}} /> : null}
      </Group>
    ),
  },
  {
    header: texts.imports.lines,
    cell: ({ firstLine, lastLine }) => texts.imports.range(firstLine, lastLine),
  },
  { header: texts.columns.created, cell: ({ created }) => created, align: "right" },
  { header: texts.columns.skipped, cell: ({ skipped }) => skipped, align: "right" },
  { header: texts.columns.failed, cell: ({ failed }) => failed, align: "right" },
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
    <Panel title={texts.imports.title} description={texts.imports.description} flush>
      <Loaded query={runs} loading={<RowsLoading rows={3} />}>
        {(loaded) => (
          <>
            <DataTable
              label={texts.imports.label}
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
    <PagingBar>
      <PagingButton label={texts.imports.first} disabled={after === 0} onClick={() => onChange(0)} />
      <PagingButton
        label={texts.imports.next}
        disabled={nextAfter === null}
        onClick={() => onChange(nextAfter ?? 0)}
      />
    </PagingBar>
  );
}
