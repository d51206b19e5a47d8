import { Alert, Badge, Group, Menu } from "@mantine/core";
import type { FailureGroup, RunDetail } from "@gatehouse-parking/contract/console";
import { useParams } from "wouter";
import { useClipboard } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useApi, useDownload } from "../api/queries.js";
import { Slot } from "../features.js";
import { resourceTitle } from "../records/record-kinds.js";
import { useApiAddress, useCertificateDownload } from "../session/api-address.js";
import { DownloadItem, MenuButton } from "../ui/buttons.js";
import { Identifier, JsonText } from "../ui/copyable.js";
import { Counters, Facts } from "../ui/facts.js";
import { pluralize } from "../ui/format.js";
import { IconAlertTriangle, IconDownload, IconTerminal2 } from "../ui/icons.js";
import { Page, Panel, UnloadedPage } from "../ui/page.js";
import { Moment } from "../ui/time.js";
import { fetchImportCommand, resendCommand } from "./curl-commands.js";
import styles from "./failure-reasons.module.css";
import { ImportResults, ResultFilterLink } from "./import-results.js";
import { ImportStatusBadge, OutcomeBar } from "./import-status.js";

export default function ImportPage() {
  const { referenceUuid = "" } = useParams();
  const run = useApi("getRun", { parameters: { referenceUuid } });
  if (run.data) return <LoadedImport run={run.data} />;
  return (
    <UnloadedPage title="Import run" query={run}>
      A run that was interrupted before it was stored is not listed. Its batch can be sent again: records that
      are already stored will be skipped.
    </UnloadedPage>
  );
}

function LoadedImport({ run }: { run: RunDetail }) {
  return (
    <Page
      title={`${resourceTitle(run.resource)} import`}
      heading={
        <Group gap="sm">
          {resourceTitle(run.resource)} import <ImportStatusBadge status={run.status} />
          {run.undone ? <Slot name="undoneBadge" props={{}} /> : null}
        </Group>
      }
      description={<Identifier value={run.referenceUuid} label="Copy referenceUuid" />}
      actions={<ImportActions run={run} />}
    >
      <Slot name="importNotices" props={{ run }} />
      <ImportCounters run={run} />
      <ImportFacts run={run} />
      <FailureReasons run={run} />
      <ImportWarnings run={run} />
      <ImportResults run={run} />
    </Page>
  );
}

/** Things that did not fail but are easily overlooked. */
function ImportWarnings({ run }: { run: RunDetail }) {
  const notices = [
    run.differingCount > 0 ? (
      <span key="differing">
        {run.differingCount === 1 ? "One skipped record was" : `${run.differingCount} skipped records were`}{" "}
        sent with values that differ from the stored ones. Nothing was changed.{" "}
        <ResultFilterLink show="differing">Show the differences</ResultFilterLink>
      </span>
    ) : null,
    run.droppedSubscriptionCount > 0 ? (
      <span key="dropped">
        {run.droppedSubscriptionCount === 1
          ? "One nested subscription was"
          : `${run.droppedSubscriptionCount} nested subscriptions were`}{" "}
        dropped, because the record has no account to attach it to.{" "}
        <ResultFilterLink show="dropped">Show these records</ResultFilterLink>
      </span>
    ) : null,
  ].filter((notice) => notice !== null);
  if (notices.length === 0) return null;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} />} p="sm">
      {notices.map((notice) => (
        <div key={notice.key}>{notice}</div>
      ))}
    </Alert>
  );
}

function ImportFacts({ run }: { run: RunDetail }) {
  const { accounts, contacts, vehicles, subscriptions } = run.createdEntities;
  const counted = Object.entries({
    account: accounts,
    contact: contacts,
    vehicle: vehicles,
    subscription: subscriptions,
  });
  const alsoCreated = counted.filter(([, count]) => count > 0).map(([noun, count]) => pluralize(count, noun));
  return (
    <Panel title="About this run">
      <Facts
        items={[
          ["Started", <Moment key="started" value={run.startedAt} />],
          ["Completed", <Moment key="completed" value={run.completedAt} />],
          ["API key", run.apiKey ? `${run.apiKey.name} (${run.apiKey.prefix}…)` : "Uploaded in the console"],
          ["Request ID", run.requestId ? <Identifier key="request" value={run.requestId} /> : null],
          ["Also created", alsoCreated.join(", ") || "nothing"],
          run.metadata
            ? [
                "Batch metadata",
                <JsonText key="metadata" text={run.metadata} label="Metadata" maxHeight={320} />,
                "wide",
              ]
            : null,
        ]}
      />
    </Panel>
  );
}

function ImportCounters({ run }: { run: RunDetail }) {
  return (
    <Counters
      items={[
        { label: "Submitted", value: run.totalSubmitted },
        { label: "Created", value: run.successCount, color: "created" },
        { label: "Skipped", value: run.skippedCount, color: "skipped" },
        { label: "Failed", value: run.failedCount, color: "failed" },
        { label: "Duration", value: `${run.durationMs.toLocaleString("en")} ms` },
      ]}
      footer={<OutcomeBar run={run} />}
    />
  );
}

function ImportActions({ run }: { run: RunDetail }) {
  const { referenceUuid } = run;
  const csv = useDownload("downloadFailures", { referenceUuid, format: "csv" });
  const ndjson = useDownload("downloadFailures", { referenceUuid, format: "ndjson" });
  const clipboard = useClipboard();
  const api = useApiAddress();
  const authority = useCertificateDownload();
  const copy = (text: string) => {
    clipboard.copy(text);
    notifications.show({ message: "Copied. Set GATEHOUSE_API_KEY to your API key before you run it." });
  };

  return (
    <>
      {run.failedCount > 0 ? (
        <MenuButton label="Failed records" icon={<IconDownload size={16} />}>
          <DownloadItem address={csv}>Download as CSV</DownloadItem>
          <DownloadItem address={ndjson}>Download as NDJSON</DownloadItem>
        </MenuButton>
      ) : null}
      <MenuButton label="Copy as curl" icon={<IconTerminal2 size={16} />}>
        <Menu.Item onClick={() => copy(fetchImportCommand(api, referenceUuid))}>Fetch this run</Menu.Item>
        <Menu.Item onClick={() => copy(resendCommand(api, run.resource))}>Send corrected records</Menu.Item>
        {authority ? <Menu.Item onClick={authority.save}>{authority.label}</Menu.Item> : null}
      </MenuButton>
      <Slot name="importActions" props={{ run }} />
    </>
  );
}

type MessageOfGroup = FailureGroup["messages"][number];

/** Why records failed, by reason, the most frequent first. */
function FailureReasons({ run }: { run: RunDetail }) {
  if (run.failedCount === 0) return null;
  return (
    <Panel title="Why records failed" flush>
      <ul className={styles.list}>
        {run.failureGroups.map((group) => (
          <FailureReason key={group.reasonCode} group={group} />
        ))}
      </ul>
      {run.failuresNotKept > 0 ? (
        <Alert color="gray" m="md" mt={0} p="sm">
          Not shown: {pluralize(run.failuresNotKept, "failure")} reported only to the sender. A run keeps its
          first 100.
        </Alert>
      ) : null}
    </Panel>
  );
}

function FailureReason({ group }: { group: FailureGroup }) {
  return (
    <li className={styles.group}>
      <div className={styles.count}>{group.count}</div>
      <div className={styles.text}>
        <h3 className={styles.name}>
          {group.name} <Badge color="gray">code {group.reasonCode}</Badge>
        </h3>
        <p className={styles.paragraph}>{group.meaning}</p>
        <p className={styles.paragraph}>
          <strong>How to fix it:</strong> {group.advice}
        </p>
        <ul className={styles.examples} aria-label="What was wrong">
          {group.messages.map((message) => (
            <FailureMessage key={message.message} message={message} />
          ))}
        </ul>
        {group.keptCount > 0 ? (
          <ResultFilterLink show="failed" reason={group.reasonCode}>
            {group.keptCount === 1 ? "Show the record" : `Show these ${group.keptCount} records`}
          </ResultFilterLink>
        ) : null}
      </div>
    </li>
  );
}

function FailureMessage({
  message: { message, count, position, reference, values },
}: {
  message: MessageOfGroup;
}) {
  return (
    <li>
      {message} <span className={styles.times}>({pluralize(count, "record")})</span>
      {values.length > 0 ? (
        <>
          ; sent:{" "}
          {values.map((value, index) => (
            <span key={value}>
              {index > 0 ? ", " : ""}
              <span className={styles.reference}>{value === "" ? "(empty)" : value}</span>
            </span>
          ))}
        </>
      ) : null}
      <span className={styles.times}>, first in {reference || `record ${position + 1}`}</span>
    </li>
  );
}
