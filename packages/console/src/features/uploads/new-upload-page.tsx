import { Alert, Anchor, SegmentedControl, Stack, Text } from "@mantine/core";
import { type ImportResourceName, importResourceNames } from "@gatehouse-parking/contract";
import type { KnownReading } from "@gatehouse-parking/record-files";
import { useState } from "react";
import { useApi } from "../../core/api/queries.js";
import { useAllLocations } from "../../core/locations/location-choices.js";
import { kinds } from "../../core/records/record-kinds.js";
import { FileDrop } from "../../core/ui/file-drop.js";

import { Page, Panel } from "../../core/ui/page.js";
import { useQueryState } from "../../core/ui/query-state.js";
import { Failure, RowsLoading } from "../../core/ui/states.js";
import { FileFormatPanel, ReadingProgress, useFileInspection } from "./file/file-format.js";
import { useUpload } from "./upload-status.js";
import { UploadSteps } from "./upload-steps.js";
import { texts } from "./texts.js";

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
  const { inspected, progress } = useFileInspection(
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
    if (file.size > maxBytes) return texts.file.tooLarge(file.size, maxBytes);
    if (file.size === 0) return texts.file.empty;
    if (upload && upload.size !== file.size) return texts.file.otherFile(upload.fileName, upload.size);
    return null;
  }

  /** An unfinished upload stays in the list. */
  function startOver() {
    setChosen(null);
    set({ upload: null });
  }

  return (
    <Page title={texts.uploadFile} description={texts.file.description}>
      <Panel title={texts.file.title}>
        <Stack gap="md">
          <SegmentedControl
            aria-label={texts.file.content}
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
          {upload && !chosen ? <Text>{texts.file.resume(upload.fileName)}</Text> : null}
          {chosen && unreadable === null ? (
            <Text>
              <strong>{chosen.file.name}</strong>
              {texts.file.summary(chosen.file.size, content && content.samples.length)}{" "}
              <Anchor component="button" type="button" disabled={isBusy} onClick={startOver}>
                {texts.file.chooseAnother}
              </Anchor>
            </Text>
          ) : (
            <FileDrop
              label={texts.file.drop}
              hint={texts.file.formats(storage.data?.maxFileBytes ?? null)}
              accept=".csv,.tsv,.txt,.xlsx,.json,.ndjson,.jsonl,.gz,text/csv"
              onFile={take}
            />
          )}
        </Stack>
      </Panel>
      <Failure error={locations.error} retry={() => void locations.refetch()} />
      <Failure error={known.error} retry={() => void known.refetch()} />
      <ReadingProgress progress={progress} />
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
      {chosen && inspection && content ? (
        <UploadSteps
          // Choices survive as long as the columns stay the same.
          key={`${resource} ${content.columns.join("\u0000")}`}
          file={chosen.file}
          overrides={chosen.overrides}
          told={inspection.told}
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
