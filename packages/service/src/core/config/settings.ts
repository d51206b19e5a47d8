import type { CaptchaUrl, OperationName } from "@gatehouse-parking/contract";
import type { LogFormat } from "./variables/log.js";

export interface LimitOverride {
  requests: number;
  windowSeconds: number;
}

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/** What the variables say: one property for each of them. */
export interface Settings extends Record<CaptchaUrl, string> {
  /** Undefined: pretty at a terminal, otherwise json. */
  logFormat: LogFormat | undefined;
  /** Undefined: the embedded server in the data folder. */
  databaseUrl: string | undefined;
  databasePassword: string | undefined;
  /** Undefined: the operator has not chosen. */
  embeddedDatabase: boolean | undefined;
  databaseConnections: number;
  /** What stands between the service and its database. */
  databasePooler: "none" | "transaction";
  dataDirectory: string;
  host: string;
  /** Where the plain port listens. Undefined: on `host`. */
  httpHost: string | undefined;
  /** Names by which the plain port may be asked, besides its own. */
  httpNames: string[];
  httpsPort: number;
  httpPort: number;
  /** False: only the plain port is opened. */
  https: boolean;
  /** The origin by which people and partners reach the service. Undefined: the address it listens on. */
  publicUrl: string | undefined;
  tlsCertificateFile: string | undefined;
  tlsKeyFile: string | undefined;
  /** Names and addresses in the generated certificate, besides this machine's own. */
  tlsNames: string[];
  trustedProxies: string[];
  /** 0: as many as there are. */
  connectionsPerAddress: number;
  allowPlainHttp: boolean;
  logLevel: LogLevel;
  limits: Partial<Record<OperationName, LimitOverride>>;
  secretKey: Buffer | undefined;
  drainSeconds: number;
  shutdownSeconds: number;
}

/** The settings as the service uses them: the password is in its place, and the choice of the database is made. */
export interface Config extends Omit<Settings, "databasePassword" | "embeddedDatabase"> {
  /** What was ignored, for the log of the start. */
  warnings: string[];
}
