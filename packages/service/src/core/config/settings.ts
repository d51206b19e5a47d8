import type { CaptchaUrl, LimitOverride, OperationName } from "@gatehouse-parking/contract";
import type { LogFormat } from "./variables/log.js";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** One property for each variable. */
export interface Settings extends Record<CaptchaUrl, string> {
  /** Undefined: pretty at a terminal, otherwise json. */
  logFormat: LogFormat | undefined;
  /** Undefined: the embedded server in the data folder. */
  databaseUrl: string | undefined;
  databasePassword: string | undefined;
  /** Undefined: the operator has not chosen. */
  embeddedDatabase: boolean | undefined;
  databaseConnections: number;
  /** The pooler between the service and the database. */
  databasePooler: "none" | "transaction";
  dataDirectory: string;
  host: string;
  /** The listen address of the plain port. Undefined: the same as `host`. */
  httpHost: string | undefined;
  /** Additional host names accepted on the plain port. */
  httpNames: string[];
  httpsPort: number;
  httpPort: number;
  /** False: only the plain port is opened. */
  https: boolean;
  /** The public origin of the service. Undefined: the listen address. */
  publicUrl: string | undefined;
  tlsCertificateFile: string | undefined;
  tlsKeyFile: string | undefined;
  /** Additional names and addresses in the generated certificate. */
  tlsNames: string[];
  trustedProxies: string[];
  /** 0: unlimited. */
  connectionsPerAddress: number;
  allowPlainHttp: boolean;
  logLevel: LogLevel;
  limits: Partial<Record<OperationName, LimitOverride>>;
  secretKey: Buffer | undefined;
  drainSeconds: number;
  shutdownSeconds: number;
}

/** The settings as the service uses them, with the database chosen and its password inserted. */
export interface Config extends Omit<Settings, "databasePassword" | "embeddedDatabase"> {
  /** Ignored variables, logged at startup. */
  warnings: string[];
}
