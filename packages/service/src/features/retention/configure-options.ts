import { keptKinds, type DeletableKind, type PendingRetention } from "@gatehouse-parking/contract";
import { Option } from "commander";
import { isOn } from "../../core/cli/commands/organization-configure.js";
import type { ConfigureOptions } from "../../core/feature.js";
import { showNumbers } from "../../core/organizations/number-settings.js";
import { readRetention } from "../../core/organizations/retention-periods.js";
import { secretKeySource } from "../../core/organizations/secret-key.js";
import { configureWithGrace } from "./change-retention.js";
import { confirmDeletion, describeDeletion } from "./confirm-deletion.js";
import { retentionRules } from "./preview-deletion.js";

/** gatehouse organization configure --keep | --keep-deleted-keys | --keep-replays-once | --yes */
export const configureOptions: ConfigureOptions = {
  options: [
    new Option(
      "--keep <what=days...>",
      `for how many days it keeps ${keptKinds.join(", ")}; WHAT=default to remove a period. A shorter period deletes data after GATEHOUSE_RETENTION_GRACE_HOURS`,
    ),
    new Option(
      "--keep-deleted-keys <state>",
      "whether the keys of deleted records stay known, so that such a record is Skipped when it is sent again",
    ).choices(["on", "off"]),
    new Option(
      "--keep-replays-once <state>",
      "whether runs that end alike, record by record, keep their results once a day",
    ).choices(["on", "off"]),
    new Option("--yes", "delete what shorter periods delete, without a question"),
  ],
  examples: ["organization configure UUID --keep records=730 --keep leads=90 --keep-deleted-keys on --yes"],
  readChanges: ({ keep, keepDeletedKeys, keepReplaysOnce }) => ({
    retention: keep === undefined ? undefined : readRetention(keep as string[]),
    keepsDeletedKeys: isOn(keepDeletedKeys as string | undefined),
    keepsReplaysOnce: isOn(keepReplaysOnce as string | undefined),
  }),
  configure: (pool, config, changes, { yes }) =>
    configureWithGrace(pool, secretKeySource(config).findOrMake, changes, {
      ...retentionRules(config),
      confirm: (preview) => confirmDeletion(preview, yes === true),
    }),
  describe: ({ retention, pendingRetention }) => ({
    retention: showNumbers(retention),
    pendingRetention: describePending(pendingRetention),
  }),
};

function describePending(pending: PendingRetention): string[] {
  return Object.entries(pending).map(([what, { at, ...deleted }]) =>
    describeDeletion({ what: what as DeletableKind, ...deleted }, at),
  );
}
