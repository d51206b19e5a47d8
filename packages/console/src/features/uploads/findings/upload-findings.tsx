import { Text } from "@mantine/core";
import type { UploadDetail, UploadFinding } from "@gatehouse-parking/contract/console";
import { Panel } from "../../../core/ui/page.js";
import { DataTable, type Column } from "../../../core/ui/table.js";
import { texts as uploadTexts } from "../texts.js";
import styles from "./findings.module.css";
import { texts } from "./texts.js";

const columns: Column<UploadFinding>[] = [
  { header: uploadTexts.columns.rows, cell: ({ rows }) => (rows === 0 ? "" : rows), align: "right" },
  {
    header: texts.finding,
    cell: ({ message, advice }) => (
      <>
        {message}
        <Text size="xs" c="dimmed" component="span" display="block">
          {advice}
        </Text>
      </>
    ),
    wrap: true,
  },
  {
    header: texts.examples,
    cell: ({ examples }) =>
      examples.map(({ line, value, otherLine }) => (
        <span key={line} className={styles.example}>
          {texts.inLine(line, value, otherLine)}
        </span>
      )),
    wrap: true,
  },
];

function hasFindings({ findings, setAside }: UploadDetail): boolean {
  return findings.length > 0 || setAside > 0;
}

/** Unusual rows that can be imported, and lines that are not records. */
export function FindingsTable({ upload }: { upload: UploadDetail }) {
  const { findings, setAside, reading } = upload;
  return (
    <>
      {findings.length > 0 ? (
        <DataTable
          label={texts.title}
          columns={columns}
          rows={findings}
          rowKey={({ code, data }) => JSON.stringify([code, data])}
        />
      ) : null}
      {setAside > 0 && reading !== null ? <p className={styles.aside}>{texts.read(reading)}</p> : null}
    </>
  );
}

export function UploadFindings({ upload }: { upload: UploadDetail }) {
  if (!hasFindings(upload)) return null;
  return (
    <Panel title={texts.title} description={texts.description} flush>
      <FindingsTable upload={upload} />
    </Panel>
  );
}
