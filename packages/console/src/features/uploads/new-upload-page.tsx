import { Alert, Anchor, SegmentedControl, Stack, Text } from "@mantine/core";
import { type ImportResourceName, importResourceNames } from "@gatehouse-parking/contract";
import type { KnownReading } from "@gatehouse-parking/record-files";
import { useState } from "react";
import { useApi } from "../../core/api/queries.js";
import { useAllLocations } from "../../core/locations/location-choices.js";
import { kinds } from "../../core/records/record-kinds.js";
import { FileDrop } from "../../core/ui/file-drop.js";
import { formatBytes, pluralize } from "../../core/ui/format.js";
import { Page, Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Failure, RowsLoading } from "../../core/ui/states.js";
import { FileFormatPanel, useFileInspection } from "./file/file-format.js";
import { useUpload } from "./upload-status.js";
import { UploadSteps } from "./upload-steps.js";

interface Chosen {
  file: File;
  overrides: KnownReading;
}

const noOverrides: KnownReading = {};

/** The upload wizard. Once an upload exists, the address contains its UUID. */
export default function NewUploadPage() {
  const { params, set } = useQueryState();
  const uploadUuid = params.get("upload");
  const known = useUpload(uploadUuid ?? "", { enabled: uploadUuid !== null });
  const upload = uploadUuid === null ? undefined : known.data;
  const [wanted, setWanted] = useState<ImportResourceName>("transactions");
  const resource = upload?.resource ?? wanted;
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [sheets, setSheets] = useState<readonly string[]>([]);
  const locations = useAllLocations();
  const storage = useApi("getUploadStorage");
  const inspected = useFileInspection(
    chosen?.file ?? null,
    chosen?.overrides ?? noOverrides,
    resource,
    locations.data,
  );
  const inspection =
    chosen && typeof inspected === "object" && "inspection" in inspected ? inspected.inspection : null;
  const content = inspection && "columns" in inspection.content ? inspection.content : null;
  const unreadable =
    chosen && typeof inspected === "object" && "problem" in inspected ? inspected.problem : null;
  if (inspection?.reading.sheets && inspection.reading.sheets.length > sheets.length)
    setSheets(inspection.reading.sheets);

  function take(file: File) {
    const refusal = refusalOf(file);
    setProblem(refusal);
    setSheets([]);
    setChosen(refusal === null ? { file, overrides: noOverrides } : null);
  }

  function refusalOf(file: File): string | null {
    const maxBytes = storage.data?.maxFileBytes ?? Infinity;
    if (file.size > maxBytes)
      return `The file has ${formatBytes(file.size)}; ${formatBytes(maxBytes)} is the most that can be uploaded. Use the gatehouse-push command-line tool instead.`;
    if (file.size === 0) return "The file is empty.";
    if (upload && upload.size !== file.size)
      return `This is another file: ${upload.fileName} has ${formatBytes(upload.size)}. Choose the same file again.`;
    return null;
  }

  /** An unfinished upload stays in the list. */
  function startOver() {
    setChosen(null);
    set({ upload: null });
  }

  const limit = storage.data ? `, up to ${formatBytes(storage.data.maxFileBytes)}` : "";
  return (
    <Page
      title="Upload a file"
      description="The export of any parking system, as it is. Nothing is stored until you have checked it."
    >
      <Panel title="1. Choose a file">
        <Stack gap="md">
          <SegmentedControl
            aria-label="What the file contains"
            data={importResourceNames.map((name) => ({ value: name, label: kinds[name].plural }))}
            value={resource}
            onChange={(value) => setWanted(value as ImportResourceName)}
            disabled={isBusy || upload !== undefined}
            maw={420}
          />
          {(problem ?? unreadable) ? (
            <Alert color="red" p="sm" role="alert">
              {problem ?? unreadable}
            </Alert>
          ) : null}
          {upload && !chosen ? (
            <Text>
              To go on with <strong>{upload.fileName}</strong>, choose the same file again. What the service
              has of it already is not sent a second time.
            </Text>
          ) : null}
          {chosen && unreadable === null ? (
            <Text>
              <strong>{chosen.file.name}</strong>: {formatBytes(chosen.file.size)}
              {content ? `, ${pluralize(content.samples.length, "column")}` : ""}.{" "}
              <Anchor component="button" type="button" disabled={isBusy} onClick={startOver}>
                Choose another file
              </Anchor>
            </Text>
          ) : (
            <FileDrop
              label="Drop a file here"
              hint={`or choose one from your computer: CSV, spreadsheet (.xlsx), JSON or NDJSON, also compressed (.gz)${limit}`}
              accept=".csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.gz,text/csv"
              onFile={take}
            />
          )}
        </Stack>
      </Panel>
      <Failure error={locations.error} retry={() => void locations.refetch()} />
      <Failure error={known.error} retry={() => void known.refetch()} />
      {chosen && !inspection && unreadable === null ? <RowsLoading rows={4} /> : null}
      {chosen && inspection ? (
        <FileFormatPanel
          inspection={inspection}
          overrides={chosen.overrides}
          sheets={sheets}
          isLocked={isBusy}
          onChange={(overrides) => setChosen({ ...chosen, overrides })}
        />
      ) : null}
      {chosen && content ? (
        <UploadSteps
          // Choices survive as long as the columns stay the same.
          key={`${resource} ${content.columns.join("\u0000")}`}
          file={chosen.file}
          overrides={chosen.overrides}
          content={content}
          resource={resource}
          locations={locations.data ?? []}
          upload={upload}
          onOverride={(overrides) => setChosen({ ...chosen, overrides })}
          onAnnounced={({ uuid }) => set({ upload: uuid })}
          onBusy={setBusy}
        />
      ) : null}
    </Page>
  );
}
