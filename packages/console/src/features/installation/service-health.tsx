import { Alert, Badge, Skeleton } from "@mantine/core";
import type { ServiceHealth as Health } from "@gatehouse-parking/contract/console";
import type { UseQueryResult } from "@tanstack/react-query";
import { Facts, type Fact } from "../../core/ui/facts.js";
import { IconAlertTriangle } from "../../core/ui/icons.js";
import { Panel } from "../../core/ui/page.js";
import { Loaded } from "../../core/ui/states.js";
import { Moment, useNow } from "../../core/ui/time.js";

const expirySoonMs = 21 * 86_400_000;

export function ServiceHealth({ query }: { query: UseQueryResult<Health> }) {
  return (
    <Panel title="The service" description="As this instance sees it.">
      <Loaded query={query} loading={<Skeleton height={140} />}>
        {(health) => <HealthFacts health={health} />}
      </Loaded>
    </Panel>
  );
}

function HealthFacts({ health }: { health: Health }) {
  const { database, schema, certificate, backup, scheduledBackups } = health;
  const others = health.instances.filter(({ isThis }) => !isThis);
  return (
    <Facts
      items={[
        [
          "Database",
          <>
            <Badge color="teal">up</Badge> PostgreSQL {database.version}, answers in {database.pingMs} ms
          </>,
        ],
        ["Database server", serverOf(database)],
        ["Schema", `${schema.latest ?? "none"} (${schemaStates[schema.state]})`],
        ["Certificate", expiryOf(certificate)],
        ["Version of this instance", health.version],
        [
          "Other instances",
          others.length === 0 ? "None seen in the last three minutes" : describeOthers(others),
        ],
        ...(scheduledBackups
          ? scheduleFacts(scheduledBackups)
          : [["Last backup", describeBackup(backup, database.isEmbedded)] as const]),
        [
          "Uploads waiting or at work",
          health.uploadsWaiting >= 1_000 ? "1,000 or more" : health.uploadsWaiting,
        ],
        ["Runs of unknown end", `${health.unknownEnds} on this instance since it started`],
      ]}
    />
  );
}

const schemaStates: Record<Health["schema"]["state"], string> = {
  empty: "no tables yet",
  foreign: "not ours",
  behind: "older than this release",
  current: "as this release wants it",
  newer: "of a newer release",
  closed: "too new for this release",
};

function serverOf({ isEmbedded, failedRestarts }: Health["database"]) {
  if (!isEmbedded) return "Your own, by DATABASE_URL";
  if (failedRestarts === 0) return "Embedded, running";
  return (
    <>
      <Badge color="red">not starting</Badge> Embedded; {failedRestarts} attempts have failed, and it is tried
      again
    </>
  );
}

function Expiry({ at }: { at: string }) {
  const left = Date.parse(at) - useNow();
  return (
    <>
      {left < expirySoonMs ? (
        <Badge color={left < 0 ? "red" : "yellow"}>{left < 0 ? "expired" : "soon"}</Badge>
      ) : null}{" "}
      Expires <Moment value={at} />
    </>
  );
}

function describeOthers(others: Health["instances"]): string {
  const versions = new Map<string, number>();
  for (const { version } of others) versions.set(version, (versions.get(version) ?? 0) + 1);
  return [...versions].map(([version, count]) => `${count} of version ${version}`).join(", ");
}

function expiryOf(certificate: Health["certificate"]) {
  return certificate ? <Expiry at={certificate.expiresAt} /> : "None here: TLS ends elsewhere";
}

function describeBackup(backup: Health["backup"], isEmbedded: boolean) {
  if (backup)
    return (
      <>
        <Moment value={backup.createdAt} />, {backup.file}
      </>
    );
  return isEmbedded
    ? "Not known: gatehouse backup has left no note in this data folder"
    : "Not known: your own server is backed up with its own tools";
}

type Schedule = NonNullable<Health["scheduledBackups"]>;

/** Overdue and failed backups, at the top of the start page. */
export function BackupAlert({ schedule }: { schedule: Schedule | null | undefined }) {
  if (!schedule || (!schedule.isOverdue && !schedule.failure)) return null;
  const { isOverdue, lastGood, failure } = schedule;
  return (
    <Alert
      color={isOverdue ? "red" : "yellow"}
      icon={<IconAlertTriangle size={18} />}
      title={isOverdue ? "Backups are overdue" : "The last backup failed"}
      role="alert"
    >
      {lastGood ? (
        <>
          The last good backup was made <Moment value={lastGood.createdAt} />.
        </>
      ) : (
        `There is no good backup in ${schedule.folder} yet.`
      )}{" "}
      {failure ? (
        <>
          {failure.attempts === 1 ? "An attempt" : `${failure.attempts} attempts in a row`} failed, the last{" "}
          <Moment value={failure.at} />. It is tried again by itself. What went wrong: {failure.message}
        </>
      ) : null}
    </Alert>
  );
}

function scheduleFacts(schedule: Schedule): Fact[] {
  const { lastGood, areTried } = schedule;
  return [
    [
      "Last good backup",
      lastGood ? (
        <>
          {schedule.isOverdue ? <Badge color="red">overdue</Badge> : null}{" "}
          <Moment value={lastGood.createdAt} />, {lastGood.file}
        </>
      ) : (
        "None yet"
      ),
    ],
    [
      "Restored for a trial",
      lastGood?.restoredAt ? (
        <>
          <Badge color="teal">verified</Badge> <Moment value={lastGood.restoredAt} />
        </>
      ) : areTried ? null : (
        "No: GATEHOUSE_BACKUP_VERIFY is off"
      ),
    ],
    ["Next backup", describeNext(schedule)],
    ["Backups kept", `The newest ${schedule.kept} good ones in ${schedule.folder}`],
  ];
}

function describeNext({ isRunning, nextAt }: Schedule) {
  return isRunning ? "Being made now" : <Moment value={nextAt} />;
}
