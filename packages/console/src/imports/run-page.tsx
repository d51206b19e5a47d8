import { Alert, Group } from "@mantine/core";
import { IconAlertTriangle } from "../ui/icons.js";
import type { RunDetail } from "@gatehouse-parking/contract/console";
import { useParams } from "wouter";
import { useApi } from "../api/queries.js";
import { isNotFound } from "../api/failure.js";
import { JsonText } from "../ui/code.js";
import { Identifier } from "../ui/copy.js";
import { counted } from "../ui/counted.js";
import { Facts } from "../ui/facts.js";
import { RunStatusBadge } from "../ui/outcome.js";
import { Page } from "../ui/page.js";
import { Panel } from "../ui/panel.js";
import { Empty, Failure, RowsLoading } from "../ui/states.js";
import { Moment, Time } from "../ui/time.js";
import { UndoneBadge, UndoneNotice } from "../undo/undone-notice.js";
import { FailureGroups } from "./failure-groups.js";
import { resourceTitle } from "./resources.js";
import { RunActions } from "./run-actions.js";
import { RunCounters } from "./run-counters.js";
import { RunResults } from "./run-results.js";
import { ShowResults } from "./show-results.js";

export default function RunPage() {
  const { referenceUuid = "" } = useParams();
  const run = useApi("getRun", { parameters: { referenceUuid } });
  if (run.data) return <LoadedRun run={run.data} />;
  return (
    <Page title="Import run">
      {run.isPending ? <RowsLoading /> : null}
      {isNotFound(run.error) ? (
        <Empty title="Import run not found">
          A run that was interrupted before it was stored is not listed. Its batch can be sent again: records
          that are already stored will be skipped.
        </Empty>
      ) : run.error ? (
        <Failure error={run.error} retry={() => void run.refetch()} />
      ) : null}
    </Page>
  );
}

/** What is not there any more, because its time was over. */
function DeletedNotice({ run }: { run: RunDetail }) {
  const records = run.deleted.reduce((sum, { count }) => sum + count, 0);
  if (records === 0 && run.exceptionsDeletedAt === null) return null;
  return (
    <Alert color="gray" p="sm">
      {records > 0
        ? `${counted(records, "record")} that this run had stored ${records === 1 ? "was" : "were"} deleted when the time was over for which the organization keeps records. `
        : null}
      {run.exceptionsDeletedAt === null ? null : (
        <>
          Its skipped and failed records are not kept any more, since <Time value={run.exceptionsDeletedAt} />
          . The counts are.
        </>
      )}
    </Alert>
  );
}

function LoadedRun({ run }: { run: RunDetail }) {
  return (
    <Page
      title={`${resourceTitle(run.resource)} import`}
      heading={
        <Group gap="sm">
          {resourceTitle(run.resource)} import <RunStatusBadge status={run.status} />
          {run.undone ? <UndoneBadge /> : null}
        </Group>
      }
      description={<Identifier value={run.referenceUuid} label="Copy referenceUuid" />}
      actions={<RunActions run={run} />}
    >
      <UndoneNotice run={run} />
      <DeletedNotice run={run} />
      <RunCounters run={run} />
      <RunFacts run={run} />
      <FailureGroups run={run} />
      <Notices run={run} />
      <RunResults run={run} />
    </Page>
  );
}

/** What is easily overlooked: nothing failed here, yet somebody may have expected something else. */
function Notices({ run }: { run: RunDetail }) {
  const notices = [
    run.differingCount > 0 ? (
      <span key="differing">
        {run.differingCount === 1 ? "One skipped record was" : `${run.differingCount} skipped records were`}{" "}
        sent with values that differ from the stored ones. Nothing was changed.{" "}
        <ShowResults show="differing">Show the differences</ShowResults>
      </span>
    ) : null,
    run.droppedSubscriptionCount > 0 ? (
      <span key="dropped">
        {run.droppedSubscriptionCount === 1
          ? "One nested subscription was"
          : `${run.droppedSubscriptionCount} nested subscriptions were`}{" "}
        dropped, because the record has no account to attach it to.{" "}
        <ShowResults show="dropped">Show these records</ShowResults>
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

function RunFacts({ run }: { run: RunDetail }) {
  const { accounts, contacts, vehicles, subscriptions } = run.createdEntities;
  const alsoCreated = [
    accounts > 0 ? counted(accounts, "account") : "",
    contacts > 0 ? counted(contacts, "contact") : "",
    vehicles > 0 ? counted(vehicles, "vehicle") : "",
    subscriptions > 0 ? counted(subscriptions, "subscription") : "",
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
