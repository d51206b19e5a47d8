import type { BodyOf, OrganizationSettings } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import {
  configureOrganization,
  showOrganization,
  type OrganizationChanges,
  type OrganizationSettings as StoredSettings,
} from "../../organizations/configure-organization.js";
import { toOrganizationSummary } from "../../organizations/find-organizations.js";
import type { SecretKeySource } from "../../organizations/secret-key.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import { defineConsoleOperation } from "../define-operation.js";
import { keyToSeal } from "../key-to-seal.js";
import type { OrganizationInView, Person } from "../sessions/find-session.js";

export interface SettingsParts {
  pool: pg.Pool;
  /** Encrypts the captcha's secret. */
  secretKey: SecretKeySource;
}

/** Organization Settings: how an organization takes in leads, and whom it lets in. */
export async function settingsHandlers(
  app: FastifyInstance,
  { pool, secretKey }: SettingsParts,
): Promise<void> {
  defineConsoleOperation(app, "getOrganization", async ({ organization, organizationId, person }) =>
    toSettings(organization, person, await showOrganization(pool, organizationId)),
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
