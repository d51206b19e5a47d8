import { Alert, Badge, Skeleton } from "@mantine/core";
import type { ServiceHealth as Health } from "@gatehouse-parking/contract/console";
import type { UseQueryResult } from "@tanstack/react-query";
import { Facts, type Fact } from "../../core/ui/facts.js";
import { IconAlertTriangle } from "../../core/ui/icons.js";
import { Panel } from "../../core/ui/page.js";
import { Loaded } from "../../core/ui/states.js";
import { Moment, useNow } from "../../core/ui/time.js";
import { expiryState } from "./health-lights.js";
import { texts } from "./texts.js";

export function ServiceHealth({ query }: { query: UseQueryResult<Health> }) {
  return (
    <Panel title={texts.service.title} description={texts.service.description}>
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
          texts.service.database,
          <>
            <Badge color="teal">{texts.service.up}</Badge>{" "}
            {texts.service.databaseVersion(database.version, database.pingMs)}
          </>,
        ],
        [texts.service.databaseServer, serverOf(database)],
        [
          texts.service.schema,
          `${schema.latest ?? texts.service.noSchema} (${texts.service.schemaStates[schema.state]})`,
        ],
        [texts.service.certificate, expiryOf(certificate)],
        [texts.service.version, health.version],
        [
          texts.service.otherInstances,
          others.length === 0 ? texts.service.noOtherInstances : describeOthers(others),
        ],
        ...(scheduledBackups
          ? scheduleFacts(scheduledBackups)
          : [[texts.backups.last, describeBackup(backup, database.isEmbedded)] as const]),
        [
          texts.service.uploads,
          health.uploadsWaiting >= 1_000 ? texts.service.manyUploads : health.uploadsWaiting,
        ],
        [texts.service.unknownOutcomes, texts.service.sinceStart(health.unknownEnds)],
      ]}
    />
  );
}

function serverOf({ isEmbedded, failedRestarts }: Health["database"]) {
  if (!isEmbedded) return texts.service.ownServer;
  if (failedRestarts === 0) return texts.service.embeddedRunning;
  return (
    <>
      <Badge color="red">{texts.service.notStarting}</Badge> {texts.service.failedRestarts(failedRestarts)}
    </>
  );
}

function Expiry({ at }: { at: string }) {
  const state = expiryState(at, useNow());
  return (
    <>
      {state === "good" ? null : (
        <Badge color={state === "bad" ? "red" : "yellow"}>
          {state === "bad" ? texts.service.expired : texts.service.expiresSoon}
        </Badge>
      )}{" "}
      {texts.service.expires} <Moment value={at} />
    </>
  );
}

function describeOthers(others: Health["instances"]): string {
  const versions = new Map<string, number>();
  for (const { version } of others) versions.set(version, (versions.get(version) ?? 0) + 1);
  return [...versions].map(([version, count]) => texts.service.instances(count, version)).join(", ");
}

function expiryOf(certificate: Health["certificate"]) {
  return certificate ? <Expiry at={certificate.expiresAt} /> : texts.service.noCertificate;
}

function describeBackup(backup: Health["backup"], isEmbedded: boolean) {
  if (backup)
    return (
      <>
        <Moment value={backup.createdAt} />, {backup.file}
      </>
    );
  return isEmbedded ? texts.backups.unknownEmbedded : texts.backups.unknownOwn;
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
      title={isOverdue ? texts.backups.overdue : texts.backups.lastFailed}
      role="alert"
    >
      {lastGood
        ? texts.backups.lastGoodWas(<Moment value={lastGood.createdAt} />)
        : texts.backups.noGood(schedule.folder)}{" "}
      {failure
        ? texts.backups.failure(failure.attempts, <Moment value={failure.at} />, failure.message)
        : null}
    </Alert>
  );
}

function scheduleFacts(schedule: Schedule): Fact[] {
  const { lastGood, areTried } = schedule;
  return [
    [
      texts.backups.lastGood,
      lastGood ? (
        <>
          {schedule.isOverdue ? <Badge color="red">{texts.backups.isOverdue}</Badge> : null}{" "}
          <Moment value={lastGood.createdAt} />, {lastGood.file}
        </>
      ) : (
        texts.backups.none
      ),
    ],
    [
      texts.backups.tested,
      lastGood?.restoredAt ? (
        <>
          <Badge color="teal">{texts.backups.verified}</Badge> <Moment value={lastGood.restoredAt} />
        </>
      ) : areTried ? null : (
        texts.backups.notTested
      ),
    ],
    [texts.backups.next, describeNext(schedule)],
    [texts.backups.kept, texts.backups.keptOf(schedule.kept, schedule.folder)],
  ];
}

function describeNext({ isRunning, nextAt }: Schedule) {
  return isRunning ? texts.backups.running : <Moment value={nextAt} />;
}
