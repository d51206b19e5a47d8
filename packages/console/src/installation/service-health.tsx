import { Badge, Skeleton } from "@mantine/core";
import type { ServiceHealth as Health } from "@gatehouse-parking/contract/console";
import type { UseQueryResult } from "@tanstack/react-query";
import { Facts } from "../ui/facts.js";
import { Panel } from "../ui/panel.js";
import { Failure } from "../ui/states.js";
import { Moment, useNow } from "../ui/time.js";
import { scheduleFacts } from "./scheduled-backups.js";

const soonMs = 21 * 86_400_000;

/** The service itself: what it runs on, and what would stop it. */
export function ServiceHealth({ query }: { query: UseQueryResult<Health> }) {
  return (
    <Panel title="The service" description="As this instance sees it.">
      {query.error ? <Failure error={query.error} retry={() => void query.refetch()} /> : null}
      {query.isPending ? <Skeleton height={140} /> : null}
      {query.data ? <Known health={query.data} /> : null}
    </Panel>
  );
}

function Known({ health }: { health: Health }) {
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
        ["Schema", `${schema.latest ?? "none"} (${schemaWords[schema.state]})`],
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

const schemaWords: Record<Health["schema"]["state"], string> = {
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
      {left < soonMs ? (
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
