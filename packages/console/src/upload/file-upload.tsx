import { Alert, Button, Group } from "@mantine/core";
import { importResources, type ImportResourceName } from "@gatehouse/contract";
import { useMemo, useState } from "react";
import { useAllLocations } from "../locations/all-locations.js";
import { useOrganization } from "../session/organization.js";
import { Panel } from "../ui/panel.js";
import { Failure } from "../ui/states.js";
import { guessChoices, prepareFile, type Choices } from "./mapping.js";
import { MappingPanel } from "./mapping-panel.js";
import type { ReadFile } from "./read-file.js";
import { forgetProgress, readProgress, writeProgress } from "./remembered-progress.js";
import { SendingProgress } from "./sending-progress.js";
import { useSending } from "./use-sending.js";

/** What happens with one file: map its columns, check the first records, import all of them. */
export function FileUpload({ file, resource }: { file: ReadFile; resource: ImportResourceName }) {
  const organization = useOrganization();
  const locations = useAllLocations();
  const [choices, setChoices] = useState<Choices>(() => guessChoices(file, resource));
  const prepared = useMemo(
    () => attempt(() => prepareFile(file, resource, choices, locations.data ?? [])),
    [file, resource, choices, locations.data],
  );

  const metadata = JSON.stringify({ source: "console upload", file: file.name });
  const progressKey = { organizationUuid: organization.uuid, resource, fileIdentity: file.identity };
  const [resumable] = useState(() => readProgress(progressKey));
  const check = useSending("validateBatch", resource, metadata);
  const importing = useSending("importBatch", resource, metadata, (done, isFinished) =>
    isFinished ? forgetProgress(progressKey) : writeProgress(progressKey, done),
  );
  const sampleSize = Math.min(file.rows.length, importResources[resource].maxRecords);
  const isWithoutClocks = choices.zone === "location" && !locations.data;
  const isBusy = isWithoutClocks || check.state === "running" || importing.state === "running";

  return (
    <>
      <MappingPanel
        file={file}
        resource={resource}
        choices={choices}
        locations={locations.data ?? []}
        first={"records" in prepared ? prepared.records[0] : undefined}
        onChange={(next) => {
          setChoices(next);
          check.reset();
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
            description={`The service judges the records as it would on import, and stores nothing.`}
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
            description="Batch after batch, as ordinary runs. A file that was imported before is skipped, never doubled."
            actions={
              importing.state === "idle" ? (
                <Group gap="xs">
                  {resumable > 0 ? (
                    <Button
                      disabled={isBusy}
                      onClick={() => void importing.start(prepared.records, { firstRecord: resumable })}
                    >
                      Resume after record {resumable.toLocaleString("en")}
                    </Button>
                  ) : null}
                  <Button
                    variant={resumable > 0 ? "default" : "filled"}
                    disabled={isBusy}
                    onClick={() => void importing.start(prepared.records)}
                  >
                    Import {file.rows.length.toLocaleString("en")} records
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

function attempt<T>(make: () => T): { records: T } | { problem: string } {
  try {
    return { records: make() };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
