import { Alert, Group } from "@mantine/core";
import type { RunDetail } from "@gatehouse-parking/contract/console";
import { useParams } from "wouter";
import { useApi } from "../api/queries.js";
import { Slot } from "../features.js";
import { resourceTitle } from "../records/record-kinds.js";
import { Identifier, JsonText } from "../ui/copyable.js";
import { Counters, Facts } from "../ui/facts.js";
import { pluralize } from "../ui/format.js";
import { IconAlertTriangle } from "../ui/icons.js";
import { Page, Panel, UnloadedPage } from "../ui/page.js";
import { Moment } from "../ui/time.js";
import { FailureReasons } from "./failure-reasons.js";
import { ImportActions } from "./import-actions.js";
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
  const alsoCreated = [
    accounts > 0 ? pluralize(accounts, "account") : "",
    contacts > 0 ? pluralize(contacts, "contact") : "",
    vehicles > 0 ? pluralize(vehicles, "vehicle") : "",
    subscriptions > 0 ? pluralize(subscriptions, "subscription") : "",
  ].filter(Boolean);
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
