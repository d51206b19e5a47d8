import { Alert, Badge, Group, Menu } from "@mantine/core";
import type { FailureGroup, RunDetail } from "@gatehouse-parking/contract/console";
import { Link, useParams } from "wouter";
import { useClipboard } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useApi, useDownload } from "../api/queries.js";
import { Slot } from "../features.js";
import { resourceTitle } from "../records/record-kinds.js";
import { useApiAddress, useCertificateDownload } from "../session/api-address.js";
import { AdjacentLink } from "../ui/adjacent-link.js";
import { DownloadItem, MenuButton } from "../ui/buttons.js";
import { Identifier, JsonText } from "../ui/copyable.js";
import { Counters, Facts } from "../ui/facts.js";
import { pluralize } from "../ui/format.js";
import { IconAlertTriangle, IconDownload, IconTerminal2 } from "../ui/icons.js";
import { Page, Panel, UnloadedPage } from "../ui/page.js";
import { Moment, utcTime } from "../ui/time.js";
import { fetchImportCommand, resendCommand } from "./curl-commands.js";
import styles from "./failure-reasons.module.css";
import { ImportResults, ResultFilterLink } from "./import-results.js";
import { ImportStatusBadge, OutcomeBar } from "./import-status.js";
import { texts } from "./texts.js";

export default function ImportPage() {
  const { referenceUuid = "" } = useParams();
  const run = useApi("getRun", { parameters: { referenceUuid } });
  if (run.data) return <LoadedImport run={run.data} />;
  return (
    <UnloadedPage title={texts.page.unloaded} query={run}>
      {texts.page.notFound}
    </UnloadedPage>
  );
}

function LoadedImport({ run }: { run: RunDetail }) {
  return (
    <Page
      title={`${texts.page.title(resourceTitle(run.resource))}, ${utcTime(run.startedAt)}`}
      heading={
        <Group gap="sm">
          {texts.page.title(resourceTitle(run.resource))} <ImportStatusBadge status={run.status} />
          {run.undone ? <Slot name="undoneBadge" props={{}} /> : null}
        </Group>
      }
      description={<Identifier value={run.referenceUuid} label={texts.page.copyReference} />}
      actions={<ImportActions run={run} />}
    >
      <Slot name="importNotices" props={{ run }} />
      <ImportCounters run={run} />
      <FailureReasons run={run} />
      <ImportWarnings run={run} />
      <ImportFacts run={run} />
      <ImportResults run={run} />
    </Page>
  );
}

/** Things that did not fail but are easily overlooked. */
function ImportWarnings({ run }: { run: RunDetail }) {
  const notices = [
    run.differingCount > 0 ? (
      <span key="differing">
        {texts.warnings.differing(run.differingCount)}{" "}
        <ResultFilterLink show="differing">{texts.warnings.showDifferences}</ResultFilterLink>
      </span>
    ) : null,
    run.droppedSubscriptionCount > 0 ? (
      <span key="dropped">
        {texts.warnings.dropped(run.droppedSubscriptionCount)}{" "}
        <ResultFilterLink show="dropped">{texts.warnings.showDropped}</ResultFilterLink>
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
    <Panel title={texts.details.title}>
      <Facts
        items={[
          [texts.list.started, <Moment key="started" value={run.startedAt} />],
          [texts.statuses.completed, <Moment key="completed" value={run.completedAt} />],
          [
            texts.details.apiKey,
            run.apiKey ? (
              <Link key="key" href={`/settings/api-keys/${run.apiKey.uuid}`}>
                {`${run.apiKey.name} (${run.apiKey.prefix}…)`}
              </Link>
            ) : (
              texts.details.uploaded
            ),
          ],
          [
            texts.details.requestId,
            run.requestId ? (
              <Group key="request" gap="xs">
                <Identifier value={run.requestId} />
                <Slot name="requestLink" props={{ requestId: run.requestId }} />
              </Group>
            ) : null,
          ],
          [texts.details.alsoCreated, alsoCreated.join(", ") || texts.details.nothing],
          run.metadata
            ? [
                texts.details.batchMetadata,
                <JsonText
                  key="metadata"
                  text={run.metadata}
                  label={texts.details.metadata}
                  maxHeight={320}
                />,
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
        { label: texts.counters.submitted, value: run.totalSubmitted },
        { label: texts.outcomes.created, value: run.successCount, color: "created" },
        { label: texts.outcomes.skipped, value: run.skippedCount, color: "skipped" },
        { label: texts.outcomes.failed, value: run.failedCount, color: "failed" },
        { label: texts.list.duration, value: `${run.durationMs.toLocaleString("en")} ms` },
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
    notifications.show({ message: texts.page.copied });
  };

  return (
    <>
      <AdjacentLink href={pageOf(run.previousUuid)} label={texts.page.previous} direction="previous" />
      <AdjacentLink href={pageOf(run.nextUuid)} label={texts.page.next} direction="next" />
      {run.failedCount > 0 ? (
        <MenuButton label={texts.page.failedRecords} icon={<IconDownload size={16} />}>
          <DownloadItem address={csv}>{texts.page.downloadCsv}</DownloadItem>
          <DownloadItem address={ndjson}>{texts.page.downloadNdjson}</DownloadItem>
        </MenuButton>
      ) : null}
      <MenuButton label={texts.page.copyAsCurl} icon={<IconTerminal2 size={16} />}>
        <Menu.Item onClick={() => copy(fetchImportCommand(api, referenceUuid))}>{texts.page.fetch}</Menu.Item>
        <Menu.Item onClick={() => copy(resendCommand(api, run.resource))}>{texts.page.resend}</Menu.Item>
        {authority ? <Menu.Item onClick={authority.save}>{authority.label}</Menu.Item> : null}
      </MenuButton>
      <Slot name="importActions" props={{ run }} />
    </>
  );
}

function pageOf(uuid: string | null): string | null {
  return uuid && `/imports/${uuid}`;
}

type MessageOfGroup = FailureGroup["messages"][number];

/** Why records failed, by reason, the most frequent first. */
function FailureReasons({ run }: { run: RunDetail }) {
  if (run.failedCount === 0) return null;
  return (
    <Panel title={texts.failures.title} flush>
      <ul className={styles.list}>
        {run.failureGroups.map((group) => (
          <FailureReason key={group.reasonCode} group={group} />
        ))}
      </ul>
      {run.failuresNotKept > 0 ? (
        <Alert color="gray" m="md" mt={0} p="sm">
          {texts.failures.notKept(run.failuresNotKept)}
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
          {group.name} <Badge color="gray">{texts.failures.code(group.reasonCode)}</Badge>
        </h3>
        <p className={styles.paragraph}>{group.meaning}</p>
        <p className={styles.paragraph}>
          <strong>{texts.failures.howToFix}</strong> {group.advice}
        </p>
        <ul className={styles.examples} aria-label={texts.failures.messages}>
          {group.messages.map((message) => (
            <FailureMessage key={message.message} message={message} />
          ))}
        </ul>
        {group.keptCount > 0 ? (
          <ResultFilterLink show="failed" reason={group.reasonCode}>
            {texts.failures.show(group.keptCount)}
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
          ; {texts.failures.sent}:{" "}
          {values.map((value, index) => (
            <span key={value}>
              {index > 0 ? ", " : ""}
              <span className={styles.reference}>{value === "" ? texts.results.emptyValue : value}</span>
            </span>
          ))}
        </>
      ) : null}
      <span className={styles.times}>{texts.failures.first(reference, position)}</span>
    </li>
  );
}
