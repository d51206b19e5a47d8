import { isIP } from "node:net";
import { operationNames, type OperationName } from "@gatehouse-parking/contract";

/**
 * The only reader of the environment. Every variable is one row of `variables`: how it is read, what it means when it
 * is not set, and what the documentation says of it. All problems are reported together, before anything starts.
 */

export interface LimitOverride {
  requests: number;
  windowSeconds: number;
}

export interface Config {
  /** Undefined: the embedded server in the data folder. */
  databaseUrl: string | undefined;
  databaseConnections: number;
  dataDirectory: string;
  host: string;
  httpsPort: number;
  httpPort: number;
  tlsCertificateFile: string | undefined;
  tlsKeyFile: string | undefined;
  trustedProxies: string[];
  allowPlainHttp: boolean;
  /** Undefined: on if the database is embedded and empty. */
  demo: boolean | undefined;
  logLevel: LogLevel;
  limits: Partial<Record<OperationName, LimitOverride>>;
  secretKey: Buffer | undefined;
  recaptchaUrl: string;
  hcaptchaUrl: string;
  turnstileUrl: string;
  shutdownSeconds: number;
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

interface Variable<Name extends keyof Config> {
  name: string;
  /** Throws an Error whose message completes "NAME ...". */
  read(text: string): Config[Name];
  whenUnset: Config[Name];
  /** What the documentation shows as the default. */
  shownDefault: string;
  description: string;
  secret?: true;
}

const variables: { [Name in keyof Config]: Variable<Name> } = {
  databaseUrl: {
    name: "DATABASE_URL",
    read: readDatabaseUrl,
    whenUnset: undefined,
    shownDefault: "embedded server",
    description:
      "The PostgreSQL database (15 or later) to use; several servers may be named (host1:5432,host2:5432), of which the one that accepts writes is used. Unset: a PostgreSQL server of our own runs in the data folder.",
    secret: true,
  },
  databaseConnections: {
    name: "GATEHOUSE_DATABASE_CONNECTIONS",
    read: (text) => readInteger(text, 2, 500),
    whenUnset: 8,
    shownDefault: "8",
    description:
      "Connections for the work of one instance. A few more serve key and limit checks, so that these never wait for imports.",
  },
  dataDirectory: {
    name: "GATEHOUSE_DATA_DIR",
    read: readText,
    whenUnset: "./data",
    shownDefault: "./data",
    description: "Folder of the embedded database, the generated certificate and the generated secret key.",
  },
  host: {
    name: "GATEHOUSE_HOST",
    read: readText,
    whenUnset: "127.0.0.1",
    shownDefault: "127.0.0.1",
    description: "Address to listen on, for both ports. 0.0.0.0 or :: for all.",
  },
  httpsPort: {
    name: "GATEHOUSE_HTTPS_PORT",
    read: (text) => readInteger(text, 0, 65_535),
    whenUnset: 8443,
    shownDefault: "8443",
    description: "Port of the API and the console, with TLS. 0: any free port.",
  },
  httpPort: {
    name: "GATEHOUSE_HTTP_PORT",
    read: (text) => readInteger(text, 0, 65_535),
    whenUnset: 8080,
    shownDefault: "8080",
    description:
      "Plain port for health checks, metrics and, from this machine only, console and docs. It refuses the API.",
  },
  tlsCertificateFile: {
    name: "GATEHOUSE_TLS_CERT",
    read: readText,
    whenUnset: undefined,
    shownDefault: "generated",
    description:
      "PEM file with the certificate chain. Renewed files are picked up without a restart. Unset: a local authority and a certificate are made once in the data folder.",
  },
  tlsKeyFile: {
    name: "GATEHOUSE_TLS_KEY",
    read: readText,
    whenUnset: undefined,
    shownDefault: "generated",
    description: "PEM file with the certificate's private key.",
  },
  trustedProxies: {
    name: "GATEHOUSE_TRUST_PROXY",
    read: readProxies,
    whenUnset: [],
    shownDefault: "none",
    description:
      "Addresses or CIDR ranges, separated by commas, of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed.",
  },
  allowPlainHttp: {
    name: "GATEHOUSE_ALLOW_PLAIN_HTTP",
    read: readSwitch,
    whenUnset: false,
    shownDefault: "off",
    description:
      "on: the API answers over plain HTTP too. For local development only; warned about at every start.",
  },
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
      "Other rate limits by operation, as requests/seconds: importTransactions=6000/60,submitLead=1000/60. Warned about at every start.",
  },
  secretKey: {
    name: "GATEHOUSE_SECRET_KEY",
    read: readSecretKey,
    whenUnset: undefined,
    shownDefault: "generated",
    description:
      "32 bytes in base64 that encrypt captcha secrets in the database. All instances need the same. Unset: made once in the data folder (secret.key).",
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
  shutdownSeconds: {
    name: "GATEHOUSE_SHUTDOWN_SECONDS",
    read: (text) => readInteger(text, 1, 600),
    whenUnset: 20,
    shownDefault: "20",
    description:
      "How long the shutdown after SIGTERM or Ctrl-C may take. Requests in flight may use all of it but the last five seconds.",
  },
};

export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(`The configuration is not usable:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "ConfigError";
    this.problems = problems;
  }
}

/** Variables of gatehouse-push, which may well be set in the same shell. */
const clientVariables = new Set(["GATEHOUSE_URL", "GATEHOUSE_API_KEY"]);

export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const config: Partial<Record<keyof Config, unknown>> = {};
  for (const [key, variable] of Object.entries(variables)) {
    const text = environment[variable.name];
    config[key as keyof Config] = variable.whenUnset;
    if (text === undefined || text === "") continue;
    try {
      config[key as keyof Config] = variable.read(text);
    } catch (error) {
      problems.push(`${variable.name} ${(error as Error).message}`);
    }
  }

  const known = new Set(Object.values(variables).map((variable) => variable.name));
  for (const name of Object.keys(environment)) {
    if (name.startsWith("GATEHOUSE_") && !known.has(name) && !clientVariables.has(name))
      problems.push(`${name} is not a variable of Gatehouse`);
  }
  if (Boolean(environment["GATEHOUSE_TLS_CERT"]) !== Boolean(environment["GATEHOUSE_TLS_KEY"])) {
    problems.push("GATEHOUSE_TLS_CERT and GATEHOUSE_TLS_KEY must be set together");
  }

  if (config.httpsPort === config.httpPort && config.httpsPort !== 0) {
    problems.push(
      `GATEHOUSE_HTTPS_PORT and GATEHOUSE_HTTP_PORT must differ, and both are ${config.httpPort}`,
    );
  }

  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config;
}

/** The rows of the configuration reference in docs/guide. */
export function describeConfig(): { name: string; shownDefault: string; description: string }[] {
  return Object.values(variables).map(({ name, shownDefault, description }) => ({
    name,
    shownDefault,
    description,
  }));
}

function readText(text: string): string {
  return text;
}

function readInteger(text: string, minimum: number, maximum: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < minimum || value > maximum) {
    throw new Error(`must be a whole number from ${minimum} to ${maximum}, not "${text}"`);
  }
  return value;
}

function readSwitch(text: string): boolean {
  if (text === "on") return true;
  if (text === "off") return false;
  throw new Error(`must be on or off, not "${text}"`);
}

function readLogLevel(text: string): LogLevel {
  const level = logLevels.find((known) => known === text);
  if (!level) throw new Error(`must be one of ${logLevels.join(", ")}, not "${text}"`);
  return level;
}

function readDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:\/\//.test(text)) throw new Error("must start with postgres:// or postgresql://");
  return text;
}

function readHttpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol))
    throw new Error(`must be an http(s) address, not "${text}"`);
  return text;
}

function readSecretKey(text: string): Buffer {
  const key = Buffer.from(text, "base64");
  if (key.length !== 32) throw new Error("must be 32 bytes in base64 (openssl rand -base64 32)");
  return key;
}

function readProxies(text: string): string[] {
  const entries = text.split(",").map((entry) => entry.trim());
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIP(address);
    const maxBits = family === 6 ? 128 : 32;
    const bitsFit = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= maxBits);
    if (family === 0 || !bitsFit) throw new Error(`must list addresses or CIDR ranges, not "${entry}"`);
  }
  return entries;
}

function readLimits(text: string): Config["limits"] {
  const limits: Config["limits"] = {};
  const problems: string[] = [];
  for (const entry of text.split(",")) {
    const [, name, requests, windowSeconds] = /^\s*(\w+)=(\d{1,7})\/(\d{1,5})\s*$/.exec(entry) ?? [];
    const operation = operationNames.find((known) => known === name);
    const override = { requests: Number(requests), windowSeconds: Number(windowSeconds) };
    if (name === undefined)
      problems.push(`must look like importTransactions=6000/60,submitLead=1000/60, not "${entry}"`);
    else if (operation === undefined)
      problems.push(`names "${name}"; the operations are ${operationNames.join(", ")}`);
    else if (override.requests < 1 || override.windowSeconds < 1)
      problems.push(`needs numbers above 0 in "${entry}"`);
    else limits[operation] = override;
  }
  if (problems.length > 0) throw new Error(problems.join("; "));
  return limits;
}
