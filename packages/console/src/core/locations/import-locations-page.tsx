import { Alert, Badge, Button, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { LocationImportPreview } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useLocation } from "wouter";
import { useChange } from "../api/queries.js";
import { Code } from "../ui/copyable.js";
import { showValue } from "../ui/facts.js";
import { FileDrop } from "../ui/file-drop.js";

import { Page, Panel } from "../ui/page.js";
import { Failure } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import { locationFields } from "./location-fields.js";
import { texts } from "./texts.js";

const example = `name,address,city,state,zipcode,timeZone,tpReferenceId
Main garage,1 Main Street,New York,NY,10001,America/New_York,NYC-1`;

/** Imports a CSV file of locations, all or nothing, after a preview line by line. */
export default function ImportLocationsPage() {
  const [csv, setCsv] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const preview = useChange("previewLocationImport");
  const importing = useChange("importLocations", { refresh: ["listLocations"] });

  async function read(file: File) {
    const text = decoded(await file.arrayBuffer());
    setCsv(text);
    preview.mutate({ body: { csv: text } });
  }

  return (
    <Page title={texts.import.title} description={texts.import.description}>
      <Panel>
        <Stack gap="md">
          <FileDrop label={texts.import.drop} accept=".csv,text/csv" onFile={(file) => void read(file)} />
          <Code text={example} label={texts.import.example} />
        </Stack>
      </Panel>
      {preview.error ? <Failure error={preview.error} /> : null}
      {preview.data ? (
        <PreviewPanel
          preview={preview.data}
          error={importing.error}
          isImporting={importing.isPending}
          onImport={() =>
            importing.mutate(
              { body: { csv: csv ?? "" } },
              {
                onSuccess: (done) => {
                  notifications.show({ message: texts.import.done(texts.import.counts(done)) });
                  navigate("/locations");
                },
              },
            )
          }
        />
      ) : null}
    </Page>
  );
}

/** Files that are not UTF-8 mostly come from a spreadsheet on Windows. */
function decoded(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

type Row = LocationImportPreview["rows"][number];

const outcomeColors: Record<Row["outcome"], string> = { created: "teal", updated: "blue", unchanged: "gray" };

const shown = new Set(["name", "address", "city", "state", "zipcode", "timeZone"]);
const columns: Column<Row>[] = [
  { header: texts.import.line, cell: (row) => row.line, align: "right" },
  {
    header: texts.import.outcome,
    cell: (row) => <Badge color={outcomeColors[row.outcome]}>{row.outcome}</Badge>,
  },
  { header: texts.columns.name, cell: (row) => row.fields.name },
  { header: texts.columns.address, cell: (row) => row.fields.address, from: "tablet" },
  {
    header: texts.columns.city,
    cell: (row) => `${row.fields.city}, ${row.fields.state} ${row.fields.zipcode}`,
  },
  { header: texts.columns.timeZone, cell: (row) => row.fields.timeZone },
  ...locationFields
    .filter(({ name }) => !shown.has(name))
    .map(({ name, label }): Column<Row> => ({
      header: label,
      cell: ({ fields }) => showValue((fields as Record<string, unknown>)[name]),
      from: "desktop",
    })),
];

function PreviewPanel({
  preview,
  error,
  isImporting,
  onImport,
}: {
  preview: LocationImportPreview;
  error: unknown;
  isImporting: boolean;
  onImport: () => void;
}) {
  return (
    <Panel
      title={texts.import.preview}
      description={
        preview.importable ? texts.import.ready(texts.import.counts(preview)) : texts.import.blocked
      }
      actions={
        <Button onClick={onImport} disabled={!preview.importable} loading={isImporting}>
          {texts.import.submit(preview.rows.length)}
        </Button>
      }
      flush
    >
      {preview.problems.length > 0 || error ? (
        <Stack p="md" gap="sm">
          {preview.problems.length > 0 ? (
            <Alert color="red" p="sm" role="alert">
              {preview.problems.map((problem) => (
                <div key={problem}>{problem}</div>
              ))}
            </Alert>
          ) : null}
          {error ? <Failure error={error} /> : null}
        </Stack>
      ) : null}
      {preview.rows.length > 0 ? (
        <DataTable
          label={texts.import.preview}
          columns={columns}
          rows={preview.rows}
          rowKey={(row) => String(row.line)}
        />
      ) : null}
    </Panel>
  );
}
