import {
  operationNames,
  operations,
  plainSettingsOf,
  type OperationName,
  type RateLimit,
} from "@gatehouse-parking/contract";
import type { BodyOf, OrganizationLimits, OrganizationSettings } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import {
  configureOrganization,
  showSettings,
  type OrganizationChanges,
  type OrganizationSettings as StoredSettings,
} from "../../organizations/configure-organization.js";
import { collectLimitOverrides, withOverrides } from "../../organizations/limit-overrides.js";
import { readLimitUse } from "../../organizations/limit-use.js";
import type { SecretKeySource } from "../../organizations/secrets.js";
import { UserError } from "../../refusals/user-error.js";
import { defineConsoleOperation } from "../define-operation.js";
import { keyToSeal } from "../key-to-seal.js";
import type { OrganizationInView, Person } from "../sessions/find-session.js";

export interface SettingsParts {
  /** Encrypts the captcha secret. */
  secretKey: SecretKeySource;
  /** The default limits, for organizations without overrides. */
  limits: Record<OperationName, RateLimit>;
}

/** Organization Settings: lead submission, access, and how much the organization may send. */
export async function settingsHandlers(
  app: FastifyInstance,
  { secretKey, limits: usual }: SettingsParts,
): Promise<void> {
  defineConsoleOperation(app, "getOrganization", async ({ pool, organization, organizationId, person }) =>
    toSettings(organization, person, await showSettings(pool, organizationId)),
  );

  defineConsoleOperation(app, "changeSettings", async (call) => {
    const { organizationId, actor, body, organization, person, request } = call;
    // An admin without a second factor would lock themselves out.
    if (body.requiresSecondFactor && !organization.requiresSecondFactor && !person.hasSecondFactor)
      throw new UserError("conflict", ["Set up a second factor for yourself first"]);
    const changes = { ...toChanges(body), organizationId, actor };
    return toSettings(
      organization,
      person,
      await configureOrganization(call.pool, () => keyToSeal(secretKey, request), changes),
    );
  });

  defineConsoleOperation(app, "getLimits", async ({ pool, organizationId }) =>
    showLimits(pool, usual, organizationId, await showSettings(pool, organizationId)),
  );

  defineConsoleOperation(app, "changeLimits", async ({ pool, organizationId, actor, body, request }) => {
    const changes = {
      limits: collectLimitOverrides(body.limits),
      version: body.version,
      organizationId,
      actor,
    };
    const stored = await configureOrganization(pool, () => keyToSeal(secretKey, request), changes);
    return showLimits(pool, usual, organizationId, stored);
  });
}

async function showLimits(
  pool: pg.Pool,
  usual: Record<OperationName, RateLimit>,
  organizationId: string,
  { limits, version }: StoredSettings,
): Promise<OrganizationLimits> {
  const use = await readLimitUse(pool, organizationId, withOverrides(usual, limits));
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
      used: use[operation],
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
    uuid: organization.id,
    name: stored.name,
    isDemo: organization.isDemo,
    createdAt: organization.createdAt.toISOString(),
    role,
    captcha:
      stored.captchaType === null
        ? null
        : {
            type: stored.captchaType,
            minimumScore: stored.captchaMinimumScore,
            hostnames: stored.captchaHostnames,
          },
    ...plainSettingsOf(stored),
    version: stored.version,
  };
}
