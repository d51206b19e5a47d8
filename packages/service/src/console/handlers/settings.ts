import { captchaTypes } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import {
  configureOrganization,
  showOrganization,
  type OrganizationChanges,
  type OrganizationSettings as StoredSettings,
} from "../../organizations/configure-organization.js";
import type { SecretKeySource } from "../../organizations/secret-key.js";
import { defineRoute } from "../access.js";
import type { OrganizationSettings } from "@gatehouse-parking/contract/console";
import { readBody, type Body } from "../body.js";
import { toOrganizationSummary } from "../../organizations/find-organizations.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import type { OrganizationInView } from "../sessions/find-session.js";

export interface SettingsParts {
  pool: pg.Pool;
  /** Encrypts the captcha's secret. */
  secretKey: SecretKeySource;
}

/** Organization Settings: how an organization takes in leads. */
export async function settingsRoutes(
  app: FastifyInstance,
  { pool, secretKey }: SettingsParts,
): Promise<void> {
  defineRoute(app, "getOrganization", async (request) =>
    toSettings(request.organization, await showOrganization(pool, request.organization.id)),
  );

  defineRoute(app, "changeSettings", async (request) => {
    const changes = readChanges(readBody(request));
    const secretKeyOrRefusal: SecretKeySource["findOrMake"] = () =>
      secretKey.findOrMake().catch((error: unknown) => {
        // Where the service keeps its files is no business of an organization's.
        request.log.error({ err: error }, "there is no secret key");
        throw new ConsoleRefused("conflict", [
          "The service has no secret key to keep secrets with. Its operator has to set GATEHOUSE_SECRET_KEY",
        ]);
      });
    const changed = await configureOrganization(pool, secretKeyOrRefusal, {
      ...changes,
      organizationId: request.organization.id,
      actor: request.person.email,
    });
    return toSettings(request.organization, changed);
  });
}

type Changes = Omit<OrganizationChanges, "organizationId" | "actor">;

function readChanges(body: Body): Changes {
  const captcha = body.optionalObject("captcha");
  const changes: Changes = {
    ...(captcha ? readCaptcha(captcha) : {}),
    ...(captcha === null ? { captchaType: null } : {}),
    honeypotField: body.clearableText("honeypotField"),
    leadOrigins: body.optionalTexts("leadOrigins"),
  };
  body.check();
  return changes;
}

function readCaptcha(captcha: Body): Changes {
  return {
    captchaType: captcha.oneOf("type", captchaTypes),
    captchaSecret: captcha.optionalText("secret"),
    captchaMinimumScore: captcha.optionalNumber("minimumScore"),
    captchaHostnames: captcha.optionalTexts("hostnames"),
  };
}

function toSettings(organization: OrganizationInView, stored: StoredSettings): OrganizationSettings {
  return {
    ...toOrganizationSummary(organization),
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
  };
}
