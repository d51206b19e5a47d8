import type { LeadAccepted } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type { Config } from "../config.js";
import type { Database } from "../database/pool.js";
import { jsonBytes } from "../operations/body.js";
import { clientAddress } from "../server/client-address.js";
import { defineOperation } from "../operations/define-operation.js";
import { KeyedSemaphore } from "../scheduling/keyed-semaphore.js";
import type { SecretKeySource } from "../organizations/secrets.js";
import { settingsLoader } from "../organizations/settings.js";
import { allowListedOrigins } from "./cross-origin.js";
import { listedOrigins } from "./listed-origins.js";
import { readLead } from "./read-lead.js";
import { submitLead } from "./submit-lead.js";

const semaphoreLimits = {
  perKey: 1,
  overall: Number.POSITIVE_INFINITY,
  maxWaiting: 1_000,
  maxWaitMs: 10_000,
};

export async function leadRoutes(
  app: FastifyInstance,
  { database, config, secretKey }: { database: Database; config: Config; secretKey: SecretKeySource },
): Promise<void> {
  allowListedOrigins(app, {
    origins: listedOrigins(database.gate),
    allowPlainHttp: config.allowPlainHttp,
  });

  const toSettings = settingsLoader("leads");
  const semaphore = new KeyedSemaphore(semaphoreLimits);
  const service = { pool: database.work, semaphore, config, secretKey };

  defineOperation(app, "submitLead", {
    description:
      "Stores one lead for one of the organization's locations. All violations are named in one answer. Web pages may call it directly from origins that are listed for the key or the organization. To try again safely, send an Idempotency-Key: the same lead under the same key is stored once.",
    headers: {
      "Idempotency-Key": {
        type: "string",
        minLength: 1,
        maxLength: 255,
        description:
          "Any text that is new for every lead, such as a random UUID. The same key and lead: the same leadUuid, also if the captcha token differs; another lead: 422.",
      },
    },
    body: "Lead",
    answer: "LeadAccepted",
    errors: ["bodyMalformed", "bodyInvalid", "originRefused", "idempotencyConflict", "captchaUnavailable"],
    handler: async (request): Promise<LeadAccepted> => {
      const given = request.headers["idempotency-key"];
      const idempotencyKey = Array.isArray(given) ? given.join(", ") : given;
      const settings = toSettings(request.caller.organization);
      const lead = await readLead(jsonBytes(request), idempotencyKey, settings.honeypotField);
      const stored = await submitLead(service, {
        organizationId: request.caller.organizationId,
        apiKeyId: request.caller.apiKeyId,
        settings,
        lead,
        idempotencyKey,
        address: clientAddress(request),
        userAgent: request.headers["user-agent"],
        log: request.log,
        key: request.keyConfirmation,
      });
      return {
        success: true,
        message: "The lead was submitted",
        leadUuid: stored.uuid,
        timestamp: stored.createdAt.toISOString(),
      };
    },
  });
}
