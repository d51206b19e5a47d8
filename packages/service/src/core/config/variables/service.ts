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
        description: `Where ${name} tokens are verified.`,
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
    description: `How much is logged: ${logLevels.join(", ")}.`,
  },
  limits: {
    name: "GATEHOUSE_LIMITS",
    read: readLimits,
    whenUnset: {},
    shownDefault: "the published limits",
    description:
      "Other rate limits by operation, as requests/seconds: importTransactions=6000/60,submitLead=1000/60. Warned about at every start. Organizations and keys with limits of their own keep those.",
  },
  secretKey: {
    name: "GATEHOUSE_SECRET_KEY",
    read: readSecretKey,
    whenUnset: undefined,
    shownDefault: "generated",
    description:
      "32 bytes in base64 that encrypt captcha secrets, second factors and the keys of receipts in the database. All instances need the same. Unset: made in the data folder (secret.key) when the first of them is stored.",
    secret: true,
  },
  ...captchaUrls,
  drainSeconds: {
    name: "GATEHOUSE_DRAIN_SECONDS",
    read: (text: string) => readInteger(text, 0, 600),
    whenUnset: 0,
    shownDefault: "0",
    description:
      "How long after SIGTERM requests are still taken while /readyz already says 503, so that balancers look elsewhere first. The shutdown with its own time comes after it. Ctrl-C does not wait for it.",
  },
  shutdownSeconds: {
    name: "GATEHOUSE_SHUTDOWN_SECONDS",
    read: (text: string) => readInteger(text, 1, 600),
    whenUnset: 20,
    shownDefault: "20",
    description:
      "How long the shutdown after SIGTERM or Ctrl-C may take. Requests in flight may use all of it but the last five seconds. GATEHOUSE_DRAIN_SECONDS comes on top of it.",
  },
} satisfies Partial<Variables>;
