import { deletableKinds, keptKinds } from "@gatehouse-parking/contract";
import type { BodyOf, OrganizationRetention } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import { keyToSeal } from "../../core/console/key-to-seal.js";
import {
  configureOrganization,
  showSettings,
  type OrganizationSettings,
} from "../../core/organizations/configure-organization.js";
import { collectNumbers } from "../../core/organizations/number-settings.js";
import type { SecretKeySource } from "../../core/organizations/secrets.js";
import { cancelPendingPeriods, confirmCounts, guardDeletion } from "./change-retention.js";
import { dataKinds, type RetentionConfig } from "./data-kinds.js";
import { previewDeletion } from "./preview-deletion.js";
import type { RetentionSettings } from "./settings.js";
import { showStorage } from "./storage.js";

export async function retentionHandlers(
  app: FastifyInstance,
  { secretKey, config }: { secretKey: SecretKeySource; config: RetentionConfig },
): Promise<void> {
  defineConsoleOperation(app, "getRetention", async ({ pool, organizationId }) =>
    toRetention(config, await showSettings<RetentionSettings>(pool, organizationId)),
  );

  defineConsoleOperation(app, "previewRetention", async ({ pool, organizationId, body }) =>
    previewDeletion(
      pool,
      await showSettings<RetentionSettings>(pool, organizationId),
      toPeriods(body),
      config,
    ),
  );

  defineConsoleOperation(app, "changeRetention", async ({ pool, organizationId, actor, body, request }) => {
    const { confirmed, keepsReplaysOnce, version } = body;
    const changes = { ...toPeriods(body), keepsReplaysOnce, version, organizationId, actor };
    const guarded = await guardDeletion(pool, changes, config, confirmCounts(confirmed));
    return toRetention(
      config,
      await configureOrganization<RetentionSettings>(pool, () => keyToSeal(secretKey, request), guarded),
    );
  });

  defineConsoleOperation(app, "cancelRetention", async ({ pool, organizationId, actor, body }) =>
    toRetention(config, await cancelPendingPeriods(pool, { organizationId, what: body.what, actor })),
  );

  defineConsoleOperation(app, "getStorage", async ({ pool, organizationId }) =>
    showStorage(pool, organizationId, await showSettings(pool, organizationId)),
  );

  defineConsoleOperation(app, "changeQuotas", async ({ pool, organizationId, actor, body, request }) => {
    const quotas = collectNumbers(body.quotas.map(({ quota, limit }) => ({ name: quota, number: limit })));
    const changes = { quotas, version: body.version, organizationId, actor };
    const stored = await configureOrganization(pool, () => keyToSeal(secretKey, request), changes);
    return showStorage(pool, organizationId, stored);
  });
}

function toPeriods({ days = [], keepsDeletedKeys }: BodyOf<"previewRetention">) {
  const retention = collectNumbers(days.map(({ what, days: number }) => ({ name: what, number })));
  return { retention, keepsDeletedKeys };
}

function toRetention(
  config: RetentionConfig,
  settings: OrganizationSettings & RetentionSettings,
): OrganizationRetention {
  const { retention, pendingRetention, keepsDeletedKeys, keepsReplaysOnce, version } = settings;
  const data = keptKinds.map((what) => ({
    what,
    ownDays: retention[what] ?? null,
    usualDays: dataKinds[what].counts[0]?.defaultDays?.(config) ?? null,
  }));
  const pending = deletableKinds.flatMap((what) => {
    const change = pendingRetention[what];
    if (!change) return [];
    const { days, count, isMinimum, at, by } = change;
    return [{ what, days, count, isMinimum, at, by }];
  });
  return { data, keepsDeletedKeys, keepsReplaysOnce, pending, version };
}
