import { captchaProviders, captchaTypes, type CaptchaUrl } from "@gatehouse-parking/contract";
import { readHttpUrl, readInteger, readLimits, readLogLevel, readSecretKey } from "../readers.js";
import { logLevels } from "../settings.js";
import type { Variables } from "../variables.js";

const captchaUrls = Object.fromEntries(
  captchaTypes.map((type) => {
    const { name, verificationUrl } = captchaProviders[type];
    return [
      `${type}Url`,
      {
        name: `GATEHOUSE_${type.toUpperCase()}_URL`,
        read: readHttpUrl,
        whenUnset: verificationUrl,
        shownDefault: "the provider's",
        description: `The URL that verifies ${name} tokens.`,
      },
    ];
  }),
) as Pick<Variables, CaptchaUrl>;

/** How the service behaves. */
export const serviceVariables = {
  logLevel: {
    name: "LOG_LEVEL",
    read: readLogLevel,
    whenUnset: "info",
    shownDefault: "info",
    description: `The log level: ${logLevels.join(", ")}.`,
  },
  limits: {
    name: "GATEHOUSE_LIMITS",
    read: readLimits,
    whenUnset: {},
    shownDefault: "the published limits",
    description:
      "Rate limits that replace the published ones, as operation=requests/seconds: importTransactions=6000/60,submitLead=1000/60. The service logs a warning at every start. Limits set for an organization or an API key take precedence.",
  },
  secretKey: {
    name: "GATEHOUSE_SECRET_KEY",
    read: readSecretKey,
    whenUnset: undefined,
    shownDefault: "generated",
    description:
      "32 bytes in base64. The key encrypts captcha secrets, two-factor secrets and receipt keys in the database. All instances need the same key. If unset, a key is generated in the data folder (secret.key) when it is first needed.",
    secret: true,
  },
  ...captchaUrls,
  drainSeconds: {
    name: "GATEHOUSE_DRAIN_SECONDS",
    read: (text: string) => readInteger(text, 0, 600),
    whenUnset: 0,
    shownDefault: "0",
    description:
      "How long the service still accepts requests after SIGTERM. Meanwhile /readyz returns 503, so that load balancers stop sending requests. GATEHOUSE_SHUTDOWN_SECONDS starts afterwards. Ctrl-C skips this wait.",
  },
  shutdownSeconds: {
    name: "GATEHOUSE_SHUTDOWN_SECONDS",
    read: (text: string) => readInteger(text, 1, 600),
    whenUnset: 20,
    shownDefault: "20",
    description:
      "How long the shutdown may take after SIGTERM or Ctrl-C, in addition to GATEHOUSE_DRAIN_SECONDS. Requests in progress can use all but the last five seconds.",
  },
} satisfies Partial<Variables>;
