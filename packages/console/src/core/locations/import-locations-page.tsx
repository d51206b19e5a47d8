import { Alert, Badge, Button, Stack } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import type { LocationImportAnswer, LocationImportPreview } from "@gatehouse-parking/contract/console";
import { useState } from "react";
import { useLocation } from "wouter";
import { useChange } from "../api/queries.js";
import { Code } from "../ui/copyable.js";
import { showValue } from "../ui/facts.js";
import { FileDrop } from "../ui/file-drop.js";
import { pluralize } from "../ui/format.js";
import { Page, Panel } from "../ui/page.js";
import { Failure } from "../ui/states.js";
import { DataTable, type Column } from "../ui/table.js";
import { locationFields } from "./location-fields.js";

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
    <Page
      title="Import locations"
      description="One location per line, below a header like that of the example. Existing locations, matched by third-party reference or otherwise by name and address, are updated."
    >
      <Panel>
        <Stack gap="md">
          <FileDrop
            label="Drop a CSV file of locations here"
            accept=".csv,text/csv"
            onFile={(file) => void read(file)}
          />
          <Code text={example} label="Example file" />
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
                  notifications.show({ message: `Imported: ${counts(done)}.` });
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
  { header: "Line", cell: (row) => row.line, align: "right" },
  { header: "Will be", cell: (row) => <Badge color={outcomeColors[row.outcome]}>{row.outcome}</Badge> },
  { header: "Name", cell: (row) => row.fields.name },
  { header: "Address", cell: (row) => row.fields.address, from: "tablet" },
  { header: "City", cell: (row) => `${row.fields.city}, ${row.fields.state} ${row.fields.zipcode}` },
  { header: "Time zone", cell: (row) => row.fields.timeZone },
  ...locationFields
    .filter(({ name }) => !shown.has(name))
    .map(({ name, label }): Column<Row> => ({
      header: label,
      cell: ({ fields }) => showValue((fields as Record<string, unknown>)[name]),
      from: "desktop",
    })),
];

function counts({ created, updated, unchanged }: LocationImportAnswer): string {
  return `${created} created, ${updated} updated, ${unchanged} unchanged`;
}

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
      title="Preview"
      description={
        preview.importable
          ? `Ready: ${counts(preview)}.`
          : "The file is imported in full or not at all. Correct these lines and drop it again."
      }
      actions={
        <Button onClick={onImport} disabled={!preview.importable} loading={isImporting}>
          Import {pluralize(preview.rows.length, "location")}
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
        <DataTable label="Preview" columns={columns} rows={preview.rows} rowKey={(row) => String(row.line)} />
      ) : null}
    </Panel>
  );
}
