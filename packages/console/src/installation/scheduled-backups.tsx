import { Alert, Badge } from "@mantine/core";
import type { ServiceHealth } from "@gatehouse-parking/contract/console";
import type { Fact } from "../ui/facts.js";
import { IconAlertTriangle } from "../ui/icons.js";
import { Moment } from "../ui/time.js";

type Schedule = NonNullable<ServiceHealth["scheduledBackups"]>;

/** What an operator has to know before a disk is lost, at the top of their first page. */
export function BackupAlarm({ schedule }: { schedule: Schedule | null | undefined }) {
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

/** What the service's panel shows of scheduled backups. */
export function scheduleFacts(schedule: Schedule): Fact[] {
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
