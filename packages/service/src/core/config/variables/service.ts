import { readHttpUrl, readInteger, readLimits, readLogLevel, readSecretKey, readSwitch } from "../readers.js";
import { logLevels } from "../settings.js";
import type { Variables } from "../variables.js";

const bytesOfMegabyte = 1024 * 1024;
const readMegabytes = (text: string): number => readInteger(text, 1, 1024 * 1024) * bytesOfMegabyte;

/** How the service behaves. */
export const serviceVariables = {
  demo: {
    name: "GATEHOUSE_DEMO",
    read: readSwitch,
    whenUnset: undefined,
    shownDefault: "on with an empty embedded database, otherwise off",
    description:
      "Create the demo organization with locations, a key and a console sign-in at start, if there is none.",
  },
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
  uploadBytes: {
    name: "GATEHOUSE_UPLOAD_MB",
    read: readMegabytes,
    whenUnset: 512 * bytesOfMegabyte,
    shownDefault: "512",
    description: "How large a file may be that is uploaded in the console, in MB.",
  },
  uploadStorageBytes: {
    name: "GATEHOUSE_UPLOAD_STORAGE_MB",
    read: readMegabytes,
    whenUnset: 2048 * bytesOfMegabyte,
    shownDefault: "2048",
    description:
      "How much an organization's uploads may take in the database, in MB: files that are not imported yet, and the outcomes of rows that are kept.",
  },
  uploadKeptDays: {
    name: "GATEHOUSE_UPLOAD_DAYS",
    read: (text: string) => readInteger(text, 1, 90),
    whenUnset: 7,
    shownDefault: "7",
    description:
      "How long after its last change an upload is kept, with its rows. Its import runs stay for good.",
  },
  retentionGraceHours: {
    name: "GATEHOUSE_RETENTION_GRACE_HOURS",
    read: (text: string) => readInteger(text, 0, 720),
    whenUnset: 24,
    shownDefault: "24",
    description:
      "How many hours a shorter retention period that deletes data waits before it takes effect. Until then it can be cancelled. 0: it takes effect within minutes.",
  },
  requestLogDays: {
    name: "GATEHOUSE_REQUEST_LOG_DAYS",
    read: (text: string) => readInteger(text, 0, 3_650),
    whenUnset: 30,
    shownDefault: "30",
    description:
      "How many days the console's log of requests goes back. 0: requests are counted, but not logged one by one.",
  },
  requestLogRows: {
    name: "GATEHOUSE_REQUEST_LOG_ROWS",
    read: (text: string) => readInteger(text, 100, 10_000_000),
    whenUnset: 100_000,
    shownDefault: "100000",
    description:
      "How many requests of an organization the log keeps at most. The oldest beyond it are deleted within minutes, in small steps.",
  },
  sentValuesDays: {
    name: "GATEHOUSE_SENT_VALUES_DAYS",
    read: (text: string) => readInteger(text, 0, 3_650),
    whenUnset: 30,
    shownDefault: "30",
    description:
      "How many days a run keeps what its failed records had in the fields that were wrong, for the console. 0: never; an organization can switch it off for itself.",
  },
  receipts: {
    name: "GATEHOUSE_RECEIPTS",
    read: readSwitch,
    whenUnset: false,
    shownDefault: "off",
    description:
      "on: the answer of every import has a signed receipt in the header X-Import-Receipt, and the public keys are at /.well-known/gatehouse-receipts.json.",
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
  recaptchaUrl: {
    name: "GATEHOUSE_RECAPTCHA_URL",
    read: readHttpUrl,
    whenUnset: "https://www.google.com/recaptcha/api/siteverify",
    shownDefault: "the provider's",
    description: "Where reCAPTCHA tokens are verified.",
  },
  hcaptchaUrl: {
    name: "GATEHOUSE_HCAPTCHA_URL",
    read: readHttpUrl,
    whenUnset: "https://api.hcaptcha.com/siteverify",
    shownDefault: "the provider's",
    description: "Where hCaptcha tokens are verified.",
  },
  turnstileUrl: {
    name: "GATEHOUSE_TURNSTILE_URL",
    read: readHttpUrl,
    whenUnset: "https://challenges.cloudflare.com/turnstile/v0/siteverify",
    shownDefault: "the provider's",
    description: "Where Turnstile tokens are verified.",
  },
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
  undoDays: {
    name: "GATEHOUSE_UNDO_DAYS",
    read: (text: string) => readInteger(text, 0, 3_650),
    whenUnset: 7,
    shownDefault: "7",
    description:
      "For how many days an import run can be taken back, in the console or by a command. 0: never.",
  },
} satisfies Partial<Variables>;
