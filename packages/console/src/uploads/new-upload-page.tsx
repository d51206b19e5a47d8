import { Alert, Anchor, SegmentedControl, Stack, Text } from "@mantine/core";
import { importResourceNames, type ImportResourceName } from "@gatehouse-parking/contract";
import type { ToldReading } from "@gatehouse-parking/record-files";
import { useState } from "react";
import { useApi } from "../api/queries.js";
import { useAllLocations } from "../locations/all-locations.js";
import { kinds } from "../records/kinds.js";
import { counted } from "../ui/counted.js";
import { FileDrop } from "../ui/file-drop.js";
import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { useQueryState } from "../ui/query-state.js";
import { Failure, RowsLoading } from "../ui/states.js";
import { ReadingPanel } from "./file/reading-panel.js";
import { useInspection } from "./file/use-inspection.js";
import { FileSteps } from "./file-steps.js";
import { sizeText } from "../ui/size.js";
import { useUpload } from "./upload/use-upload.js";

interface Chosen {
  file: File;
  told: ToldReading;
}

const nothingTold: ToldReading = {};

/** From a file to an import: choose it, see how it is read, map its columns, have it checked. The address names the upload once there is one. */
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
  const inspected = useInspection(
    chosen?.file ?? null,
    chosen?.told ?? nothingTold,
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
    setChosen(refusal === null ? { file, told: nothingTold } : null);
  }

  function refusalOf(file: File): string | null {
    const maxBytes = storage.data?.maxFileBytes ?? Infinity;
    if (file.size > maxBytes)
      return `The file has ${sizeText(file.size)}; ${sizeText(maxBytes)} is the most that can be uploaded. Use the gatehouse-push command-line tool instead.`;
    if (file.size === 0) return "The file is empty.";
    if (upload && upload.size !== file.size)
      return `This is another file: ${upload.fileName} has ${sizeText(upload.size)}. Choose the same file again.`;
    return null;
  }

  /** The upload that was begun stays in the list. */
  function startOver() {
    setChosen(null);
    set({ upload: null });
  }

  const limit = storage.data ? `, up to ${sizeText(storage.data.maxFileBytes)}` : "";
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
              <strong>{chosen.file.name}</strong>: {sizeText(chosen.file.size)}
              {content ? `, ${counted(content.samples.length, "column")}` : ""}.{" "}
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
      {locations.error ? <Failure error={locations.error} retry={() => void locations.refetch()} /> : null}
      {known.error ? <Failure error={known.error} retry={() => void known.refetch()} /> : null}
      {chosen && !inspection && unreadable === null ? <RowsLoading rows={4} /> : null}
      {chosen && inspection ? (
        <ReadingPanel
          inspection={inspection}
          told={chosen.told}
          sheets={sheets}
          isLocked={isBusy}
          onChange={(told) => setChosen({ ...chosen, told })}
        />
      ) : null}
      {chosen && content ? (
        <FileSteps
          // What was chosen stays as long as the columns are the same, however the file is read.
          key={`${resource} ${content.columns.join("\u0000")}`}
          file={chosen.file}
          told={chosen.told}
          content={content}
          resource={resource}
          locations={locations.data ?? []}
          upload={upload}
          onTold={(told) => setChosen({ ...chosen, told })}
          onAnnounced={({ uuid }) => set({ upload: uuid })}
          onBusy={setBusy}
        />
      ) : null}
    </Page>
  );
}
