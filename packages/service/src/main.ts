import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { announce } from "./announce.js";
import { announcement, type Announcement } from "./announcement.js";
import { followDatabaseClock } from "./core/clock.js";
import { readConfig, type Config } from "./core/config.js";
import { connectionAdvice } from "./core/database/connection-refusals.js";
import { useDatabaseServer } from "./core/database/database-server.js";
import { migrate } from "./core/database/schema/migrate.js";
import { openDatabase } from "./core/database/pool.js";
import { databaseTrouble } from "./core/database/sqlstate.js";
import { shuttingDown } from "./core/server/monitoring.js";
import { serviceAddress } from "./core/server/service-address.js";
import { listen, requireFreePorts } from "./core/server/servers.js";
import { checkOwnCertificate, chooseCertificate } from "./core/server/tls/choose-certificate.js";
import { createLogger, logFormat } from "./core/logger.js";
import type { FirstOrganization } from "./core/feature.js";
import { features } from "./features.js";
import { inviteInitialOperator } from "./core/organizations/operators.js";
import { endOnSignals } from "./core/server/shutdown.js";

/** The process: configuration, database, certificate, app, listeners, and at the end the same in reverse. */

interface Service {
  announcement: Announcement;
  /** From now on /readyz says so: what a start shows has been shown. */
  beReady(): void;
  /** From now on /readyz says 503; everything else goes on. */
  beUnready(): void;
  close(): Promise<void>;
  cut(): void;
}

export interface ServeOptions {
  version: string;
  /** One JSON document on stdout and the log on stderr. */
  json: boolean;
  emphasis: (text: string) => string;
  /** Resolves when the console's pages are there. Absent: they are there already. */
  pages?: Promise<void> | undefined;
}

/** How long a start waits for a database that is itself just starting. */
const databaseWaitMs = 30_000;
const databaseRetryMs = 500;
const actor = "start";

export async function serve(options: ServeOptions): Promise<void> {
  const config = readConfig(process.env);
  const stream = options.json ? process.stderr : process.stdout;
  const format = logFormat(config.logFormat, stream);
  const logger = await createLogger(config.logLevel, format, stream);
  warnOfSwitches(config, logger);

  const givenUp = new AbortController();
  const starting = startService(config, logger, options, givenUp.signal);
  let service: Service | undefined;
  endOnSignals({
    logger,
    drainMs: config.drainSeconds * 1_000,
    limitMs: config.shutdownSeconds * 1_000,
    beginDraining: () => {
      // A service that is still starting has nobody to tell.
      service?.beUnready();
      return service !== undefined;
    },
    close: async () => {
      givenUp.abort();
      // A start that fails has cleaned up behind itself.
      await starting.then(
        (started) => started.close(),
        () => undefined,
      );
    },
    cut: () => service?.cut(),
  });
  try {
    service = await starting;
  } catch (error) {
    // A start that was told to stop has nothing to report.
    if (givenUp.signal.aborted) return;
    throw error;
  }
  announce(service.announcement, { ...options, format, logger });
  service.beReady();
}

async function startService(
  config: Config,
  logger: Logger,
  { version, pages }: ServeOptions,
  givenUp: AbortSignal,
): Promise<Service> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.toReversed()) await closer();
  };
  try {
    await checkOwnCertificate(config);
    await requireFreePorts(config);
    // Most of what a start has to load is the app; PostgreSQL starts, or is even made, in the meantime.
    const loadingApp = import("./app.js");
    const openingTraces = features
      .find(({ openTracing }) => openTracing !== undefined)
      ?.openTracing?.(config, version, logger);
    const server = await useDatabaseServer(config, {
      mayCreate: true,
      log: (message) => logger.info(message),
      warn: (message) => logger.warn(message),
    });
    closers.push(() => server.stop());
    await migrateWhenReachable(server.connectionString, logger, givenUp);
    const traces = await openingTraces;
    const database = openDatabase({
      connectionString: server.connectionString,
      workConnections: config.databaseConnections,
      isBehindPooler: config.databasePooler === "transaction",
      observe: traces?.observeStatements,
      onConnectionError: (error) => logger.warn({ err: error }, "a database connection was lost"),
    });
    closers.push(() => database.close());
    for (const { databaseAdvice } of features) {
      const advice = await databaseAdvice?.(database.work);
      if (advice !== undefined) logger.warn(advice);
    }
    const stopFollowing = await followDatabaseClock(database.gate, (error) =>
      logger.warn({ err: error }, "the database was not asked what time it is"),
    );
    closers.push(async () => stopFollowing());

    const { certificate, caFile } = await chooseCertificate(config);
    const { failedRestarts: failedDatabaseRestarts } = server;
    const { buildApp } = await loadingApp;
    await pages;
    const app = await buildApp({ config, database, logger, traces, failedDatabaseRestarts, features });
    closers.push(async () => traces?.close());
    closers.push(() => app.close());
    app.readiness.obstacle = "starting up";

    const listening = await listen(app, { ...config, certificate });
    // Only links depend on it, so the start goes on without.
    await app.instance
      .listen(serviceAddress(config, listening))
      .catch((error: unknown) => logger.warn({ err: error }, "instance heartbeat failed"));

    const operator = await inviteInitialOperator(database.work, actor);
    // Last of all, because its key is shown only once: a start that fails or is ended must not have made it already.
    const start = { config, database, isEmbedded: server.isEmbedded, actor, log: logger, features };
    let demo: FirstOrganization | undefined;
    for (const { firstStart } of features) demo ??= await firstStart?.(start);
    return {
      announcement: announcement({ version, config, ports: listening, caFile, demo, operator }),
      beReady: () => {
        app.readiness.obstacle = undefined;
        app.startFeatures();
      },
      beUnready: () => {
        app.readiness.obstacle = shuttingDown;
      },
      close,
      cut: () => listening.cut(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A database server that is just starting, as after the reboot of a machine, is waited for. */
async function migrateWhenReachable(
  connectionString: string,
  logger: Logger,
  givenUp: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + databaseWaitMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { applied, ofNewerRelease, notices } = await migrate(connectionString, {
        afterMigrate: features.flatMap(({ afterMigrate }) => afterMigrate ?? []),
        patience: { onWait: (reason) => logger.warn({ reason }, "a migration has to wait, and tries again") },
      });
      if (applied.length > 0)
        logger.info(`the database was migrated: ${applied.length} applied, the last is ${applied.at(-1)}`);
      if (ofNewerRelease.length > 0)
        logger.info({ ofNewerRelease }, "a newer release has migrated the database; this one may run on it");
      for (const { text } of notices) logger.warn(text);
      return;
    } catch (error) {
      const isReachable = connectionAdvice(error) !== undefined;
      const mayPass =
        databaseTrouble(error) === "unavailable" && !isReachable && performance.now() < deadline;
      if (!mayPass || givenUp.aborted) throw error;
      if (attempt === 1) logger.warn({ err: error }, "the database cannot be reached yet; waiting for it");
      await sleep(databaseRetryMs, undefined, { signal: givenUp });
    }
  }
}

/** At every start, however little is logged otherwise. */
function warnOfSwitches(config: Config, logger: Logger): void {
  const always = logger.child({}, { level: "warn" });
  for (const warning of config.warnings) always.warn(warning);
  if (!config.https && config.publicUrl === undefined && !config.allowPlainHttp)
    always.warn("GATEHOUSE_PUBLIC_URL is not set: links lead to the plain port and not to the proxy");
  if (config.allowPlainHttp)
    always.warn("GATEHOUSE_ALLOW_PLAIN_HTTP is on: keys and personal data can travel unencrypted");
  if (Object.keys(config.limits).length > 0)
    always.warn({ limits: config.limits }, "GATEHOUSE_LIMITS replaces published rate limits");
}
