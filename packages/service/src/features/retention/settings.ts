import {
  keptKinds,
  type DeletableKind,
  type PendingRetention,
  type Retention,
} from "@gatehouse-parking/contract";
import type { OrganizationChanges } from "../../core/organizations/configure-organization.js";
import { readNumbers, showNumbers } from "../../core/organizations/number-settings.js";
import {
  changedPending,
  changedRetention,
  type PendingChanges,
  type RetentionChanges,
} from "../../core/organizations/retention.js";
import { kinds, setting, type OrganizationSetting } from "../../core/organizations/setting.js";
import type { Deletable } from "./preview-deletion.js";

/** What the feature adds to the settings of an organization. */
export interface RetentionSettings {
  /** Days that replace the defaults. */
  retention: Retention;
  /** Shorter periods that are not in effect yet. */
  pendingRetention: PendingRetention;
  /** Whether the keys of deleted records are remembered. */
  keepsDeletedKeys: boolean;
  /** Whether runs with identical results store their exceptions only once a day. */
  keepsReplaysOnce: boolean;
}

export interface RetentionSettingsChanges extends OrganizationChanges {
  /** Takes effect at once and replaces a pending change. */
  retention?: RetentionChanges | undefined;
  pendingRetention?: PendingChanges | undefined;
  keepsDeletedKeys?: boolean | undefined;
  keepsReplaysOnce?: boolean | undefined;
}

// Release 1.1.0 does not write the acknowledged columns; see pending-periods.ts.
export const retentionSettings: readonly OrganizationSetting[] = [
  setting({
    name: "retention",
    columns: ["retention", "acknowledged_retention"],
    show: (stored: Retention | null) => changedRetention(stored, {}) ?? {},
    change: changedRetention,
    option: {
      flags: "--keep <what=days...>",
      description: `for how many days it keeps ${keptKinds.join(", ")}; WHAT=default to remove a period. A shorter period deletes data after GATEHOUSE_RETENTION_GRACE_HOURS`,
      example: "--keep records=730 --keep leads=90 --keep-deleted-keys on --yes",
      parse: (texts: string[]) =>
        readNumbers(texts, keptKinds, {
          what: "a kind of data with a retention period",
          example: "records=730",
        }),
    },
    describe: showNumbers,
  }),
  setting({
    name: "pendingRetention",
    columns: ["pending_retention"],
    show: (stored: PendingRetention | null) => changedPending(stored, {}) ?? {},
    changeIn: pendingAfterChange,
    change: changedPending,
    describe: describePending,
  }),
  setting({
    name: "keepsDeletedKeys",
    columns: ["keeps_deleted_keys", "acknowledged_keeps_deleted_keys"],
    readBy: ["imports"],
    isExportable: kinds.switch.isExportable,
    change: (_stored: boolean, change: boolean) => change,
    option: {
      flags: "--keep-deleted-keys <state>",
      description:
        "whether the keys of deleted records stay known, so that such a record is Skipped when it is sent again",
      ...kinds.switch.option,
    },
  }),
  setting({
    name: "keepsReplaysOnce",
    columns: ["keeps_replays_once"],
    readBy: ["imports"],
    isExportable: kinds.switch.isExportable,
    change: (_stored: boolean, change: boolean) => change,
    option: {
      flags: "--keep-replays-once <state>",
      description: "whether imports with the same results, record by record, store them once a day",
      ...kinds.switch.option,
    },
  }),
];

/** A period that is saved now cancels the pending one. */
function pendingAfterChange({
  retention,
  keepsDeletedKeys,
  pendingRetention,
}: Partial<RetentionSettingsChanges>): PendingChanges {
  const pending: PendingChanges = Object.fromEntries(
    Object.keys(retention ?? {}).map((what) => [what, null]),
  );
  if (keepsDeletedKeys !== undefined) pending.deletedKeys = null;
  return { ...pending, ...pendingRetention };
}

function describePending(pending: PendingRetention): string[] {
  return Object.entries(pending).map(([what, { at, ...deleted }]) =>
    describeDeletion({ what: what as DeletableKind, ...deleted }, at),
  );
}

const labels: Record<DeletableKind, string> = {
  records: "records",
  exceptions: "skipped and failed records of runs",
  runDetails: "values of failed records",
  requestLog: "requests of the log",
  leads: "leads",
  deletedKeys: "keys of deleted records",
};

/** For example: Deletes 21 leads after 2026-11-19T12:31:00.000Z */
export function describeDeletion({ what, count, isMinimum }: Omit<Deletable, "days">, at: string): string {
  return `Deletes ${isMinimum ? "more than " : ""}${count.toLocaleString("en")} ${labels[what]} after ${at}`;
}
