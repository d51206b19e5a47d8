import type { DeletableKind } from "@gatehouse-parking/contract";
import type pg from "pg";
import { actorName, type Actor } from "../../core/audit/audit.js";
import {
  configureOrganization,
  showSettings,
  type OrganizationSettings,
} from "../../core/organizations/configure-organization.js";
import { conflictError, requireVersion } from "../../core/refusals/user-error.js";
import type { RetentionConfig } from "./data-kinds.js";
import { deferUnconfirmedPeriodsOf } from "./pending-periods.js";
import { previewDeletion, type DeletionPreview } from "./preview-deletion.js";
import type { RetentionSettings, RetentionSettingsChanges } from "./settings.js";

/** Decides whether to save a change that deletes stored data. */
type Confirm = (preview: DeletionPreview) => boolean | Promise<boolean>;

/** New rows arrive between a preview and its confirmation. A few more do not need another confirmation. */
const isCovered = (count: number, confirmed: number) => count <= confirmed * 1.1 + 10;

/** Confirms a change that deletes no more than the counts that a person has seen. */
export function confirmCounts(
  confirmed: readonly { what: DeletableKind; count: number }[] | undefined,
): Confirm {
  return ({ data }) => {
    if (confirmed === undefined) return false;
    for (const { what, count } of data) {
      const shown = confirmed.find((one) => one.what === what);
      if (!shown || !isCovered(count, shown.count))
        throw conflictError(
          "This change now deletes more stored data than you confirmed. Nothing was saved. Save again to see the new counts",
        );
    }
    return true;
  };
}

/**
 * Returns the changes to save. Periods that delete stored data need a confirmation and become pending changes. All other
 * changes take effect at once.
 */
export async function guardDeletion(
  pool: pg.Pool,
  changes: RetentionSettingsChanges,
  config: RetentionConfig,
  confirm: Confirm,
): Promise<RetentionSettingsChanges> {
  await deferUnconfirmedPeriodsOf(pool, changes.organizationId, config);
  const settings = await showSettings<RetentionSettings>(pool, changes.organizationId);
  requireVersion("The organization's settings", settings.version, changes.version);
  const preview = await previewDeletion(pool, settings, changes, config);
  if (preview.data.length > 0 && !(await confirm(preview)))
    throw conflictError("This change deletes stored data and was not confirmed. Nothing was saved");
  const pending = Object.fromEntries(
    preview.data.map(({ what, ...deletable }) => {
      const from = what === "deletedKeys" ? null : (settings.retention[what] ?? null);
      return [what, { ...deletable, from, at: preview.at, by: actorName(changes.actor) }];
    }),
  );
  return {
    ...changes,
    retention:
      changes.retention &&
      Object.fromEntries(Object.entries(changes.retention).filter(([what]) => !(what in pending))),
    keepsDeletedKeys: "deletedKeys" in pending ? undefined : changes.keepsDeletedKeys,
    pendingRetention: pending,
    // The counts were confirmed for this version of the settings.
    version: settings.version,
  };
}

/** Cancels shorter periods that are not in effect yet. */
export async function cancelPendingPeriods(
  pool: pg.Pool,
  { organizationId, what, actor }: { organizationId: string; what: readonly DeletableKind[]; actor: Actor },
): Promise<OrganizationSettings & RetentionSettings> {
  const { pendingRetention, version } = await showSettings<RetentionSettings>(pool, organizationId);
  if (what.some((kind) => pendingRetention[kind] === undefined))
    throw conflictError(
      "This change is no longer pending. It was cancelled or has taken effect. To stop the deletion, save a longer period",
    );
  const changes: RetentionSettingsChanges = {
    organizationId,
    pendingRetention: Object.fromEntries(what.map((kind) => [kind, null])),
    version,
    actor,
  };
  return configureOrganization<RetentionSettings>(pool, noSecretKey, changes);
}

function noSecretKey(): never {
  throw new Error("cancelling a pending change encrypts nothing");
}
