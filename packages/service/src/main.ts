import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { announce, announcement, type Announcement } from "./announcement.js";
import { followDatabaseClock } from "./core/clock.js";
import { readConfig, type Config } from "./core/config.js";
import { connectionAdvice } from "./core/database/connection-refusals.js";
import { useDatabaseServer } from "./core/database/database-server.js";
import { openDatabase } from "./core/database/pool.js";
import { migrate } from "./core/database/schema/migrate.js";
import { databaseTrouble } from "./core/database/sqlstate.js";
import type { FirstOrganization } from "./core/feature.js";
import { createLogger, logFormat } from "./core/logger.js";
import { inviteInitialOperator } from "./core/organizations/operators.js";
import { shuttingDown } from "./core/server/monitoring.js";
import { listen, requireFreePorts } from "./core/server/servers.js";
import { serviceAddress } from "./core/server/service-address.js";
import { endOnSignals } from "./core/server/shutdown.js";
import { checkOwnCertificate, chooseCertificate } from "./core/server/tls/choose-certificate.js";
import { features } from "./features.js";

/** The process: configuration, database, certificate, app and listeners. The shutdown closes them in reverse order. */

export interface ServeOptions {
  version: string;
  /** One JSON document on stdout and the log on stderr. */
  json: boolean;
  emphasis: (text: string) => string;
  /** Resolves when the console's pages have been built. Undefined: they exist already. */
  pages?: Promise<void> | undefined;
}

interface RunningService {
  announcement: Announcement;
  becomeReady(): void;
  /** Makes /readyz answer 503. Other requests are still served. */
  becomeUnready(): void;
  close(): Promise<void>;
  destroyConnections(): void;
}

/** How long a start waits for a database that is also starting. */
const databaseWaitMs = 30_000;
const databaseRetryMs = 500;
const actor = "start";

export async function serve(options: ServeOptions): Promise<void> {
  const config = readConfig(process.env);
  const stream = options.json ? process.stderr : process.stdout;
  const format = logFormat(config.logFormat, stream);
  const logger = await createLogger(config.logLevel, format, stream);
  logConfigWarnings(config, logger);

  const abort = new AbortController();
  const starting = startService(config, logger, options, abort.signal);
  let service: RunningService | undefined;
  endOnSignals({
    logger,
    drainMs: config.drainSeconds * 1_000,
    limitMs: config.shutdownSeconds * 1_000,
    beginDraining: () => {
      service?.becomeUnready();
      return service !== undefined;
    },
    close: async () => {
      abort.abort();
      // A failed start has closed everything already.
      const started = await starting.catch(() => undefined);
      await started?.close();
    },
    destroyConnections: () => service?.destroyConnections(),
  });
  try {
    service = await starting;
  } catch (error) {
    if (abort.signal.aborted) return;
    throw error;
  }
  announce(service.announcement, { ...options, format, logger });
  service.becomeReady();
}

async function startService(
  config: Config,
  logger: Logger,
  { version, pages }: ServeOptions,
  signal: AbortSignal,
): Promise<RunningService> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.toReversed()) await closer();
  };
  try {
    await checkOwnCertificate(config);
    await requireFreePorts(config);
    // Loading the app takes most of a start, so PostgreSQL starts meanwhile.
    const loadingApp = import("./app.js");
    const openingTraces = startTracing(config, version, logger);

    const server = await useDatabaseServer(config, {
      mayCreate: true,
      log: (message) => logger.info(message),
      warn: (message) => logger.warn(message),
    });
    closers.push(() => server.stop());
    await migrateWhenReachable(server.connectionString, logger, signal);
    const traces = await openingTraces;
    const database = openDatabase({
      connectionString: server.connectionString,
      workConnections: config.databaseConnections,
      isBehindPooler: config.databasePooler === "transaction",
      observe: traces?.observeStatements,
      onConnectionError: (error) => logger.warn({ err: error }, "database connection lost"),
    });
    closers.push(() => database.close());
    const stopClock = await followDatabaseClock(database.gate, (error) =>
      logger.warn({ err: error }, "database clock query failed"),
    );
    closers.push(async () => stopClock());

    const { certificate, caFile } = await chooseCertificate(config);
    const { failedRestarts: failedDatabaseRestarts } = server;
    const { buildApp } = await loadingApp;
    await pages;
    const app = await buildApp({ config, database, logger, traces, failedDatabaseRestarts, features });
    closers.push(async () => traces?.close());
    closers.push(() => app.close());
    app.readiness.obstacle = "starting up";

    const listening = await listen(app, { ...config, certificate });
    // Only links depend on the address, so a failure does not stop the start.
    await app.instance
      .listen(serviceAddress(config, listening))
      .catch((error: unknown) => logger.warn({ err: error }, "instance heartbeat failed"));

    const operator = await inviteInitialOperator(database.work, actor);
    // The last step: a demo key is shown only once, so a start that fails must not have created it.
    const context = { config, database, isEmbedded: server.isEmbedded, actor, log: logger, features };
    let demo: FirstOrganization | undefined;
    for (const { onStart } of features) demo ??= await onStart?.(context);
    return {
      announcement: announcement({ version, config, ports: listening, caFile, demo, operator }),
      becomeReady: () => {
        app.readiness.obstacle = undefined;
        app.startFeatures();
      },
      becomeUnready: () => {
        app.readiness.obstacle = shuttingDown;
      },
      close,
      destroyConnections: () => listening.destroyConnections(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startTracing(config: Config, version: string, logger: Logger) {
  for (const { openTracing } of features) if (openTracing) return openTracing(config, version, logger);
  return undefined;
}

/** Waits for a database server that is starting, for example after a reboot. */
async function migrateWhenReachable(
  connectionString: string,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + databaseWaitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { applied, ofNewerRelease, notices } = await migrate(connectionString, {
        checks: features.flatMap(({ checkDatabase }) => checkDatabase ?? []),
        lockTimeout: { onWait: (reason) => logger.warn({ reason }, "migration is waiting for a lock") },
      });
      if (applied.length > 0)
        logger.info({ applied: applied.length, latest: applied.at(-1) }, "database migrated");
      if (ofNewerRelease.length > 0)
        logger.info({ ofNewerRelease }, "database was migrated by a newer release");
      for (const { text } of notices) logger.warn(text);
      return;
    } catch (error) {
      const isReachable = connectionAdvice(error) !== undefined;
      const mayPass =
        databaseTrouble(error) === "unavailable" && !isReachable && performance.now() < deadline;
      if (!mayPass || signal.aborted) throw error;
      if (attempt === 1) logger.warn({ err: error }, "database is unreachable, retrying");
      await sleep(databaseRetryMs, undefined, { signal });
    }
  }
}

/** Logs warnings about the configuration, whatever the log level is. */
function logConfigWarnings(config: Config, logger: Logger): void {
  const log = logger.child({}, { level: "warn" });
  for (const warning of config.warnings) log.warn(warning);
  if (!config.https && config.publicUrl === undefined && !config.allowPlainHttp)
    log.warn("GATEHOUSE_PUBLIC_URL is not set: links point to the plain port instead of the proxy");
  if (config.allowPlainHttp)
    log.warn("GATEHOUSE_ALLOW_PLAIN_HTTP is on: keys and personal data can travel unencrypted");
  if (Object.keys(config.limits).length > 0)
    log.warn({ limits: config.limits }, "GATEHOUSE_LIMITS replaces published rate limits");
}
