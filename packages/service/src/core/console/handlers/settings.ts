import {
  deletableKinds,
  keptKinds,
  operationNames,
  operations,
  type OperationName,
  type RateLimit,
} from "@gatehouse-parking/contract";
import type {
  BodyOf,
  OrganizationLimits,
  OrganizationRetention,
  OrganizationSettings,
} from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import {
  configureOrganization,
  showSettings,
  type OrganizationChanges,
  type OrganizationSettings as StoredSettings,
} from "../../organizations/configure-organization.js";
import { toOrganizationSummary } from "../../organizations/find-organizations.js";
import { collectOwnLimits } from "../../organizations/own-limits.js";
import { collectNumbers } from "../../organizations/own-numbers.js";
import type { Config } from "../../config.js";
import type { SecretKeySource } from "../../organizations/secret-key.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import { cancelPendingRetention, configureWithGrace } from "../../../features/retention/change-retention.js";
import {
  previewDeletion,
  retentionRules,
  type RetentionRules,
} from "../../../features/retention/preview-deletion.js";
import { showStorage } from "../../../features/retention/show-storage.js";
import { defineConsoleOperation } from "../define-operation.js";
import { keyToSeal } from "../key-to-seal.js";
import type { OrganizationInView, Person } from "../sessions/find-session.js";

export interface SettingsParts {
  pool: pg.Pool;
  /** Encrypts the captcha's secret. */
  secretKey: SecretKeySource;
  /** The usual limits, for organizations without limits of their own. */
  limits: Record<OperationName, RateLimit>;
  config: Pick<Config, "requestLogDays" | "sentValuesDays" | "retentionGraceHours">;
}

/** Organization Settings: how an organization takes in leads, whom it lets in, and how much it may send. */
export async function settingsHandlers(
  app: FastifyInstance,
  { pool, secretKey, limits: usual, config }: SettingsParts,
): Promise<void> {
  defineConsoleOperation(app, "getOrganization", async ({ organization, organizationId, person }) =>
    toSettings(organization, person, await showSettings(pool, organizationId)),
  );

  defineConsoleOperation(app, "changeSettings", async (call) => {
    const { organizationId, actor, body, organization, person, request } = call;
    // Whoever switches it on without having one would be the first to be kept out.
    if (body.requiresSecondFactor && !organization.requiresSecondFactor && !person.hasSecondFactor)
      throw new ConsoleRefused("conflict", ["Set up a second factor for yourself first"]);
    const changes = { ...toChanges(body), organizationId, actor };
    return toSettings(
      organization,
      person,
      await configureOrganization(pool, () => keyToSeal(secretKey, request), changes),
    );
  });

  defineConsoleOperation(app, "getLimits", async ({ organizationId }) =>
    toLimits(usual, await showSettings(pool, organizationId)),
  );

  defineConsoleOperation(app, "changeLimits", async ({ organizationId, actor, body, request }) => {
    const changes = { limits: collectOwnLimits(body.limits), version: body.version, organizationId, actor };
    const stored = await configureOrganization(pool, () => keyToSeal(secretKey, request), changes);
    return toLimits(usual, stored);
  });

  const rules = retentionRules(config);
  defineConsoleOperation(app, "getRetention", async ({ organizationId }) =>
    toRetention(rules, await showSettings(pool, organizationId)),
  );

  defineConsoleOperation(app, "previewRetention", async ({ organizationId, body }) =>
    previewDeletion(pool, await showSettings(pool, organizationId), toPeriods(body), rules),
  );

  defineConsoleOperation(app, "changeRetention", async ({ organizationId, actor, body, request }) => {
    const { confirmed = false, keepsReplaysOnce, version } = body;
    const changes = { ...toPeriods(body), keepsReplaysOnce, version, organizationId, actor };
    const guarded = { ...rules, confirm: () => confirmed };
    return toRetention(
      rules,
      await configureWithGrace(pool, () => keyToSeal(secretKey, request), changes, guarded),
    );
  });

  defineConsoleOperation(app, "cancelRetention", async ({ organizationId, actor, body }) =>
    toRetention(rules, await cancelPendingRetention(pool, { organizationId, what: body.what, actor })),
  );

  defineConsoleOperation(app, "getStorage", async ({ organizationId }) =>
    showStorage(pool, organizationId, await showSettings(pool, organizationId)),
  );

  defineConsoleOperation(app, "changeQuotas", async ({ organizationId, actor, body, request }) => {
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
  { usualDays }: RetentionRules,
  { retention, pendingRetention, keepsDeletedKeys, keepsReplaysOnce, version }: StoredSettings,
): OrganizationRetention {
  const data = keptKinds.map((what) => ({
    what,
    ownDays: retention[what] ?? null,
    usualDays: usualDays[what] ?? null,
  }));
  const pending = deletableKinds.flatMap((what) => {
    const change = pendingRetention[what];
    if (!change) return [];
    const { days, count, isMinimum, at, by } = change;
    return [{ what, days, count, isMinimum, at, by }];
  });
  return { data, keepsDeletedKeys, keepsReplaysOnce, pending, version };
}

function toLimits(
  usual: Record<OperationName, RateLimit>,
  { limits, version }: StoredSettings,
): OrganizationLimits {
  const data = operationNames.map((operation) => {
    const { method, path } = operations[operation];
    const { per, requests, windowSeconds } = usual[operation];
    return {
      operation,
      method,
      path,
      per,
      usual: { requests, windowSeconds },
      own: limits[operation] ?? null,
    };
  });
  return { data, version };
}

function toChanges({
  captcha,
  ...changes
}: BodyOf<"changeSettings">): Omit<OrganizationChanges, "organizationId" | "actor"> {
  if (captcha === undefined) return changes;
  if (captcha === null) return { ...changes, captchaType: null };
  return {
    ...changes,
    captchaType: captcha.type,
    captchaSecret: captcha.secret,
    captchaMinimumScore: captcha.minimumScore,
    captchaHostnames: captcha.hostnames,
  };
}

function toSettings(
  organization: OrganizationInView,
  { role }: Person,
  stored: StoredSettings,
): OrganizationSettings {
  return {
    ...toOrganizationSummary(organization),
    role,
    captcha:
      stored.captchaType === null
        ? null
        : {
            type: stored.captchaType,
            minimumScore: stored.captchaMinimumScore,
            hostnames: stored.captchaHostnames,
          },
    honeypotField: stored.honeypotField,
    leadOrigins: stored.leadOrigins,
    requiresSecondFactor: stored.requiresSecondFactor,
    keepsSentValues: stored.keepsSentValues,
    hasSeveralCurrencies: stored.hasSeveralCurrencies,
    version: stored.version,
  };
}
