import { Alert, Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { importResources, type ImportResourceName } from "@gatehouse-parking/contract";
import { useEffect, useMemo, useState } from "react";
import { useAllLocations } from "../locations/all-locations.js";
import { useOrganization } from "../session/organization.js";
import { counted } from "../ui/counted.js";
import { Panel } from "../ui/panel.js";
import { Failure } from "../ui/states.js";
import { guessChoices, missingPaths, prepareFile, type Choices } from "./mapping.js";
import { MappingPanel } from "./mapping-panel.js";
import type { ReadFile } from "./read-file.js";
import { forgetProgress, readProgress, writeProgress } from "./remembered-progress.js";
import { SendingProgress } from "./sending-progress.js";
import { useSending } from "./use-sending.js";

/** What happens with one file: map its columns, check the first records, import all of them. */
export function FileUpload({
  file,
  resource,
  onSending,
}: {
  file: ReadFile;
  resource: ImportResourceName;
  onSending: (isSending: boolean) => void;
}) {
  const organization = useOrganization();
  const locations = useAllLocations();
  const progressKey = { organizationUuid: organization.uuid, resource, fileIdentity: file.identity };
  const [resumable, setResumable] = useState(() => readProgress(progressKey));
  const [choices, setChoices] = useState<Choices>(() => resumable?.choices ?? guessChoices(file, resource));
  const prepared = useMemo(
    () => attempt(() => prepareFile(file, resource, choices, locations.data ?? [])),
    [file, resource, choices, locations.data],
  );

  const metadata = JSON.stringify({ source: "console upload", file: file.name });
  const check = useSending("validateBatch", resource, metadata);
  const importing = useSending("importBatch", resource, metadata, {
    onProgress: (recordsDone, isFinished) => {
      const progress = isFinished ? null : { recordsDone, choices };
      setResumable(progress);
      if (progress) writeProgress(progressKey, progress);
      else forgetProgress(progressKey);
    },
    onLeft: (recordsDone) =>
      notifications.show({ message: fateOf(file, recordsDone), color: "yellow", autoClose: false }),
  });
  const sampleSize = Math.min(file.rows.length, importResources[resource].maxRecords);
  const isWithoutClocks = choices.zone === "location" && !locations.data;
  const isSending = check.state === "running" || importing.state === "running";
  useEffect(() => onSending(isSending), [onSending, isSending]);
  const isBusy = isSending || isWithoutClocks;
  const missing = file.kind === "csv" ? missingPaths(resource, choices) : [];
  const mayImport = missing.length === 0 && check.state === "finished";
  // What was begun with this mapping was checked with it.
  const mayResume = mayImport || choices === resumable?.choices;

  return (
    <>
      <MappingPanel
        file={file}
        resource={resource}
        choices={choices}
        locations={locations.data ?? []}
        missing={missing}
        first={"records" in prepared ? prepared.records[0] : undefined}
        isLocked={isSending}
        onChange={(next) => {
          setChoices(next);
          check.reset();
          importing.reset();
        }}
      />
      {locations.error ? <Failure error={locations.error} retry={() => void locations.refetch()} /> : null}
      {"problem" in prepared ? (
        <Alert color="red" p="sm" role="alert">
          {prepared.problem}
        </Alert>
      ) : (
        <>
          <Panel
            title="3. Check"
            description="The service checks the records as an import would, but stores nothing."
            actions={
              <>
                <Button
                  variant="default"
                  disabled={isBusy}
                  onClick={() => void check.start(prepared.records.slice(0, sampleSize))}
                >
                  {sampleSize === file.rows.length ? "Check the file" : `Check the first ${sampleSize}`}
                </Button>
                {sampleSize < file.rows.length ? (
                  <Button
                    variant="default"
                    disabled={isBusy}
                    onClick={() => void check.start(prepared.records)}
                  >
                    Check all {file.rows.length.toLocaleString("en")}
                  </Button>
                ) : null}
              </>
            }
          >
            <SendingProgress sending={check} verbs={{ done: "checked", created: "Would be created" }} />
          </Panel>
          <Panel
            title="4. Import"
            description={
              importing.state === "running"
                ? "Stay on this page: leaving it stops the import. You can resume it later with the same file."
                : mayImport || importing.state !== "idle"
                  ? "Records are sent in batches, as ordinary import runs. Records that are already stored are skipped, never duplicated."
                  : "Available once the required fields are mapped and the records have been checked with this mapping."
            }
            actions={
              importing.state === "idle" ? (
                <Group gap="xs">
                  {resumable ? (
                    <Button
                      disabled={isBusy || !mayResume}
                      onClick={() =>
                        void importing.start(prepared.records, { firstRecord: resumable.recordsDone })
                      }
                    >
                      Resume after record {resumable.recordsDone.toLocaleString("en")}
                    </Button>
                  ) : null}
                  <Button
                    variant={resumable ? "default" : "filled"}
                    disabled={isBusy || !mayImport}
                    onClick={() => void importing.start(prepared.records)}
                  >
                    Import {counted(file.rows.length, "record")}
                  </Button>
                </Group>
              ) : null
            }
          >
            <SendingProgress sending={importing} verbs={{ done: "imported", created: "Created" }} />
          </Panel>
        </>
      )}
    </>
  );
}

/** What became of an import whose page was left. */
function fateOf({ name, rows }: ReadFile, recordsDone: number): string {
  if (recordsDone === rows.length) return `The import of ${name} has finished.`;
  const place = `record ${recordsDone.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`;
  return `The import of ${name} stopped after ${place}, because you left the page. Drop the same file on the Upload page to resume.`;
}

function attempt<T>(make: () => T): { records: T } | { problem: string } {
  try {
    return { records: make() };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
