import type { DeletableKind, PendingRetentionChange } from "@gatehouse-parking/contract";
import type pg from "pg";
import { actorName, type Actor } from "../../core/audit/audit.js";
import {
  configureOrganization,
  showSettings,
  type OrganizationSettings,
} from "../../core/organizations/configure-organization.js";
import { conflictError, requireVersion } from "../../core/refusals/user-error.js";
import { holdShorterPeriods } from "./hold-shorter-periods.js";
import {
  previewDeletion,
  type Deletable,
  type DeletionPreview,
  type RetentionRules,
} from "./preview-deletion.js";
import type { RetentionSettings, RetentionSettingsChanges } from "./settings.js";

export interface GuardedChange extends RetentionRules {
  /** Decides about a change that deletes stored data. */
  confirm: (preview: DeletionPreview) => boolean | Promise<boolean>;
}

/** Rows arrive between a preview and its confirmation. More than so many of them need another look. */
const isCovered = (count: number, confirmed: number) => count <= confirmed * 1.1 + 10;

/** Confirms a change that deletes what somebody was shown. Undefined: nobody has confirmed anything. */
export function confirmsCounts(
  confirmed: readonly { what: DeletableKind; count: number }[] | undefined,
): GuardedChange["confirm"] {
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
 * The changes to save. Periods that delete stored data need a confirmation and take effect after the grace period; everything
 * else takes effect at once.
 */
export async function withGrace(
  pool: pg.Pool,
  changes: RetentionSettingsChanges,
  { confirm, ...rules }: GuardedChange,
): Promise<RetentionSettingsChanges> {
  await holdShorterPeriods(pool, changes.organizationId, rules);
  const settings = await showSettings<RetentionSettings>(pool, changes.organizationId);
  requireVersion("The organization's settings", settings.version, changes.version);
  const preview = await previewDeletion(pool, settings, changes, rules);
  if (preview.data.length > 0 && !(await confirm(preview)))
    throw conflictError("This change deletes stored data and was not confirmed. Nothing was saved");
  const delayed = new Map(preview.data.map((deletable) => [deletable.what, deletable]));
  return {
    ...changes,
    retention:
      changes.retention &&
      Object.fromEntries(
        Object.entries(changes.retention).filter(([what]) => !delayed.has(what as DeletableKind)),
      ),
    keepsDeletedKeys: delayed.has("deletedKeys") ? undefined : changes.keepsDeletedKeys,
    pendingRetention: Object.fromEntries(
      preview.data.map((deletable) => [
        deletable.what,
        toPending(deletable, settings, { at: preview.at, actor: changes.actor }),
      ]),
    ),
    // What was counted and confirmed is a change of these settings, and of no others.
    version: settings.version,
  };
}

function toPending(
  { what, days, count, isMinimum }: Deletable,
  { retention }: RetentionSettings,
  { at, actor }: { at: string; actor: Actor },
): PendingRetentionChange {
  const from = what === "deletedKeys" ? null : (retention[what] ?? null);
  return { days, from, at, by: actorName(actor), count, isMinimum };
}

/** Cancels shorter periods that are not in effect yet. */
export async function cancelPendingRetention(
  pool: pg.Pool,
  { organizationId, what, actor }: { organizationId: string; what: readonly DeletableKind[]; actor: Actor },
): Promise<OrganizationSettings & RetentionSettings> {
  const { pendingRetention, version } = await showSettings<RetentionSettings>(pool, organizationId);
  const missing = what.filter((kind) => pendingRetention[kind] === undefined);
  if (missing.length > 0)
    throw conflictError(
      "This change is not pending any more. It was cancelled, or it has taken effect: save a longer period to stop deletion",
    );
  const changes: RetentionSettingsChanges = {
    organizationId,
    pendingRetention: Object.fromEntries(what.map((kind) => [kind, null])),
    version,
    actor,
  };
  return configureOrganization<RetentionSettings>(pool, neverSealed, changes);
}

function neverSealed(): never {
  throw new Error("cancelling a pending change encrypts nothing");
}
