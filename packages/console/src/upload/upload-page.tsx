import { Alert, Anchor, SegmentedControl, Stack, Text } from "@mantine/core";
import { importResourceNames, type ImportResourceName } from "@gatehouse-parking/contract";
import { useState } from "react";
import { kinds } from "../records/kinds.js";
import { counted } from "../ui/counted.js";
import { FileDrop } from "../ui/file-drop.js";
import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { FileUpload } from "./file-upload.js";
import { readFile, type ReadFile } from "./read-file.js";

/** A file of records becomes ordinary import runs: choose, map, check, import. */
export default function UploadPage() {
  const [resource, setResource] = useState<ImportResourceName>("transactions");
  const [file, setFile] = useState<ReadFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [reading, setReading] = useState(false);
  // Another file or another kind of records would stop what is being sent.
  const [sending, setSending] = useState(false);

  async function take(chosen: File) {
    setProblem(null);
    setReading(true);
    try {
      setFile(await readFile(chosen));
    } catch (error) {
      setFile(null);
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setReading(false);
    }
  }

  return (
    <Page
      title="Upload"
      description="Import a CSV or NDJSON file. Nothing is stored until you have checked it."
    >
      <Panel title="1. Choose a file">
        <Stack gap="md">
          <SegmentedControl
            aria-label="What the file contains"
            data={importResourceNames.map((name) => ({ value: name, label: kinds[name].plural }))}
            value={resource}
            onChange={(value) => setResource(value as ImportResourceName)}
            disabled={sending}
            maw={420}
          />
          {problem ? (
            <Alert color="red" p="sm" role="alert">
              {problem}
            </Alert>
          ) : null}
          {file ? (
            <Text>
              <strong>{file.name}</strong>: {counted(file.rows.length, "record")}
              {file.kind === "csv" ? `, ${counted(file.columns.length, "column")}` : ""}.{" "}
              <Anchor component="button" type="button" disabled={sending} onClick={() => setFile(null)}>
                Choose another file
              </Anchor>
            </Text>
          ) : (
            <FileDrop
              label={reading ? "Reading the file…" : "Drop a CSV or NDJSON file here"}
              hint="or choose one from your computer. Up to 50 MB; for larger files, use the gatehouse-push command-line tool."
              accept=".csv,.ndjson,.jsonl,.txt,text/csv"
              onFile={(chosen) => void take(chosen)}
            />
          )}
        </Stack>
      </Panel>
      {file ? (
        <FileUpload
          key={`${resource} ${file.identity}`}
          file={file}
          resource={resource}
          onSending={setSending}
        />
      ) : null}
    </Page>
  );
}
