import { Anchor, Button, Progress, Stack } from "@mantine/core";
import type { ImportResourceName, Location } from "@gatehouse-parking/contract";
import type { Upload, UploadDetail } from "@gatehouse-parking/contract/console";
import { applyAnswers, type KnownReading, type Suggestion } from "@gatehouse-parking/record-files";
import { useEffect, useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import { useChange } from "../../core/api/queries.js";
import { useLeaveWarning } from "../../core/shell/leave-guard.js";

import { Panel } from "../../core/ui/page.js";
import { Failure } from "../../core/ui/states.js";
import type { FileContent } from "./file/inspect-file.js";
import {
  choicesOf,
  contentOf,
  missingPaths,
  type MappingChoices,
  type MappingContent,
} from "./mapping/mapping-choices.js";
import { MappingPanel, MatchingMappings, SaveMapping } from "./mapping/mapping-panel.js";
import { gapsOf } from "./mapping/gaps.js";
import {
  answeredMapping,
  openQuestions,
  settledByFields,
  settledByHand,
  withAnswers,
  type Answers,
} from "./questions/answers.js";
import { QuestionList } from "./questions/question-list.js";
import { FindingsTable } from "./findings/upload-findings.js";
import { PreviewPanel } from "./preview/preview-panel.js";
import { type PreviewRow, previewRows } from "./preview/preview.js";
import {
  forgetMapping,
  readRememberedMapping,
  rememberMapping,
  type Sending,
  useSendFile,
} from "./send-file.js";
import { isChecked } from "./upload-page.js";
import { UploadProblems } from "./upload-rows.js";
import { isInProgress, uploadQueries, UploadStatus } from "./upload-status.js";
import styles from "./uploads.module.css";
import { texts } from "./texts.js";

interface Props {
  file: File;
  overrides: KnownReading;
  /** How the service reads the file as it was inspected. */
  told: KnownReading;
  content: FileContent;
  resource: ImportResourceName;
  locations: readonly Location[];
  /** Set once the service knows the file. */
  upload: UploadDetail | undefined;
  onOverride: (overrides: KnownReading) => void;
  onAnnounced: (upload: Upload) => void;
  /** Locks the file and its options while it is sent or processed. */
  onBusy: (isBusy: boolean) => void;
}

/** The steps for a file: map columns, preview, check, import. */
export function UploadSteps({
  file,
  overrides,
  told,
  content,
  resource,
  locations,
  upload,
  onOverride,
  onAnnounced,
  onBusy,
}: Props) {
  const [, navigate] = useLocation();
  const [suggestion, setSuggestion] = useState<Suggestion>(() => {
    const known = knownMapping(content, upload);
    return known ? suggestionOf(known) : content.suggestion;
  });
  const [choices, setChoices] = useState<MappingChoices>(() => choicesOf(answeredMapping(suggestion, {})));
  const [isTouched, setTouched] = useState(false);
  const [given, setAnswers] = useState<Answers>({});
  const answers = { ...settledByFields(suggestion, missingPaths(resource, choices)), ...given };
  const open = openQuestions(suggestion, answers);
  const gaps = gapsOf({ resource, choices, samples: content.samples, open });
  const isBlocked = open.length > 0 || gaps.length > 0;
  const mapping = useMemo(() => contentOf(choices, told as MappingContent), [choices, told]);
  const preview = useMemo(
    () =>
      attempt(() =>
        previewRows({ resource, columns: content.columns, rows: content.rows, mapping, locations }),
      ),
    [resource, content, mapping, locations],
  );
  const columns = content.samples.map(({ name }) => name);

  const sending = useSendFile(file, resource, (announced) => {
    rememberMapping(announced.uuid, mapping);
    onAnnounced(announced);
  });
  const start = useChange("startUpload", { refresh: [...uploadQueries] });
  const isSameMapping = JSON.stringify(upload?.mapping) === JSON.stringify(mapping);
  const isWorking = upload !== undefined && upload.pass !== null && isInProgress(upload);
  const isBusy = sending.state === "sending" || start.isPending || isWorking;
  useEffect(() => onBusy(isBusy), [onBusy, isBusy]);
  useLeaveWarning(
    sending.state === "sending" ? texts.leaveWhileSending : isTouched ? texts.leaveWithChoices : null,
  );

  function change(next: MappingChoices) {
    setChoices(next);
    setTouched(true);
  }

  function changeByHand(next: MappingChoices) {
    setAnswers({ ...given, ...settledByHand(open, contentOf(choices, {}), contentOf(next, {})) });
    change(next);
  }

  function answer(next: Answers) {
    const contentFor = (some: Answers) => contentOf(choicesOf(answeredMapping(suggestion, some)), {});
    change(choicesOf(withAnswers(contentOf(choices, {}), contentFor(given), contentFor(next))));
    setAnswers(next);
  }

  function begin(uploadUuid: string, validateOnly: boolean, onSuccess: () => void) {
    const parameters = { uploadUuid };
    start.mutate({ parameters, body: { validateOnly, mapping } }, { onSuccess });
  }

  async function check() {
    if (upload) rememberMapping(upload.uuid, mapping);
    const received = await sending.send(upload);
    if (!received) return;
    begin(received.uuid, true, () => {
      forgetMapping(received.uuid);
      setTouched(false);
    });
  }

  const mayImport = upload !== undefined && isSameMapping && isChecked(upload) && !isBusy;
  return (
    <>
      <MappingPanel
        content={content}
        resource={resource}
        choices={choices}
        locations={locations}
        questions={
          <QuestionList
            {...{ suggestion, answers, gaps }}
            onAnswers={(changes) => answer({ ...given, ...changes })}
          />
        }
        isLocked={isBusy}
        onChange={changeByHand}
        keep={
          <SaveMapping
            resource={resource}
            columns={columns}
            mapping={contentOf(choices, overrides as MappingContent)}
          />
        }
        offered={
          <MatchingMappings
            resource={resource}
            columns={columns}
            mapping={mapping}
            isLocked={isBusy}
            onUse={(kept) => {
              const used = suggestionOf(kept);
              change(choicesOf(used.mapping));
              setAnswers({});
              setSuggestion(used);
              if (kept["file"] !== undefined) onOverride(kept["file"] as KnownReading);
            }}
          />
        }
      />
      <PreviewPanel preview={preview} />
      <Panel
        title={texts.check.title}
        description={texts.check.description}
        actions={
          <Button
            disabled={isBusy || isBlocked}
            variant={mayImport ? "default" : "filled"}
            onClick={() => void check()}
          >
            {upload?.state === "receiving" ? texts.check.continue : texts.check.start}
          </Button>
        }
      >
        <Stack gap="md">
          {isBlocked ? <p className={styles.hint}>{texts.check.blocked}</p> : null}
          <SendingProgress sending={sending} file={file} />
          {sending.error || start.error ? <Failure error={sending.error ?? start.error} /> : null}
          {upload && upload.pass === "check" && isSameMapping ? (
            <>
              <UploadStatus upload={upload} />
              <UploadProblems upload={upload} />
              <FindingsTable upload={upload} />
              {upload.failed + upload.conflicts > 0 ? (
                <Anchor component={Link} href={`/uploads/${upload.uuid}`} size="sm">
                  {upload.failed > 0 ? texts.check.showFailing : texts.check.showConflicts}
                </Anchor>
              ) : null}
            </>
          ) : null}
          {upload && upload.pass === "check" && !isSameMapping && !isBusy ? (
            <p className={styles.hint}>{texts.check.outdated}</p>
          ) : null}
        </Stack>
      </Panel>
      <Panel
        title={texts.import.title}
        description={mayImport ? texts.import.ready : texts.import.notReady}
        actions={
          <Button
            disabled={!mayImport}
            onClick={() => {
              if (upload) begin(upload.uuid, false, () => navigate(`/uploads/${upload.uuid}`));
            }}
          >
            {texts.page.import}
          </Button>
        }
      />
    </>
  );
}

/** A mapping that was used before asks only what is still open in it. Its answers become a part of it. */
function suggestionOf(kept: MappingContent): Suggestion {
  const { content, open } = applyAnswers(kept);
  return {
    mapping: content as unknown as Suggestion["mapping"],
    questions: open.filter(({ kind }) => kind === "question"),
    assumptions: open.filter(({ kind }) => kind === "assumption"),
  };
}

/** The earlier mapping of this upload, if it fits the file. */
function knownMapping(
  { samples }: FileContent,
  upload: UploadDetail | undefined,
): MappingContent | undefined {
  const before = upload && (readRememberedMapping(upload.uuid) ?? upload.mapping);
  const known = new Set(samples.map(({ name }) => name));
  const fits = Object.keys((before?.["columns"] ?? {}) as object).every((name) => known.has(name));
  return before && fits ? before : undefined;
}

function SendingProgress({ sending, file }: { sending: Sending; file: File }) {
  if (sending.state !== "sending") return null;
  const percent = Math.floor((sending.sentBytes / file.size) * 100);
  return (
    <div>
      <Progress value={percent} animated size="lg" aria-label={texts.check.percentSent(percent)} />
      <output className={styles.numbers}>
        <span>{texts.check.sent(sending.sentBytes, file.size)}</span>
        {sending.isWaiting ? <span>{texts.check.retrying}</span> : null}
      </output>
    </div>
  );
}

function attempt(make: () => PreviewRow[]): PreviewRow[] | { problem: string } {
  try {
    return make();
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}
