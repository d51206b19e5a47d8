import { Group } from "@mantine/core";
import type { UploadCorrection, UploadDetail } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { Link } from "wouter";
import { useApi, useDownload } from "../../../core/api/queries.js";
import { Slot } from "../../../core/features.js";
import { DownloadButton } from "../../../core/ui/buttons.js";
import { Panel } from "../../../core/ui/page.js";
import { DataTable, type Column } from "../../../core/ui/table.js";
import { texts as uploadTexts } from "../texts.js";
import { texts } from "./texts.js";
import { RowsPaging } from "../upload-rows.js";

const columns: Column<UploadCorrection>[] = [
  { header: texts.corrections.at, time: ({ at }) => at },
  { header: texts.corrections.by, cell: ({ by }) => by, breakable: true, from: "tablet" },
  {
    header: uploadTexts.imports.import,
    cell: ({ referenceUuid, isUndone }) =>
      referenceUuid === null ? (
        texts.corrections.notSent
      ) : (
        <Group gap="xs">
          <Link href={`/imports/${referenceUuid}`}>…{referenceUuid.slice(-8)}</Link>
          {isUndone ? <Slot name="undoneBadge" props={{}} /> : null}
        </Group>
      ),
  },
  { header: uploadTexts.columns.rows, value: ({ rows }) => rows, align: "right" },
  { header: uploadTexts.columns.created, value: ({ created }) => created, align: "right" },
  { header: uploadTexts.columns.skipped, value: ({ skipped }) => skipped, align: "right", from: "tablet" },
  { header: uploadTexts.columns.failed, value: ({ failed }) => failed, align: "right" },
];

/** The rows of an upload that were corrected and sent again, by request. */
export function UploadCorrections({ upload }: { upload: UploadDetail }) {
  const [after, setAfter] = useState(0);
  const parameters = { uploadUuid: upload.uuid };
  const isPossible = upload.pass !== null && upload.pass !== "check";
  const corrections = useApi("listUploadCorrections", {
    parameters,
    query: { after, limit: 20 },
    enabled: isPossible,
  });
  const download = useDownload("downloadUploadCorrections", parameters);
  if (!isPossible || !corrections.data || (after === 0 && corrections.data.data.length === 0)) return null;
  return (
    <Panel
      title={texts.corrections.title}
      description={texts.corrections.description}
      actions={
        <DownloadButton address={download} size="xs">
          {texts.corrections.download}
        </DownloadButton>
      }
      flush
    >
      <DataTable
        label={texts.corrections.title}
        columns={columns}
        rows={corrections.data.data}
        rowKey={({ number }) => String(number)}
      />
      <RowsPaging after={after} nextAfter={corrections.data.nextAfter} onChange={setAfter} />
    </Panel>
  );
}
