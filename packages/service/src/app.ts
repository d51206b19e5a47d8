import { operations, operationNames, type OperationName, type RateLimit } from "@gatehouse-parking/contract";
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";
import type { Config } from "./core/config.js";
import { features as allFeatures } from "./features.js";
import type { Feature, OpenFeature } from "./core/feature.js";
import { exportDesk } from "./core/console/define-export.js";
import { administrationConsole } from "./core/console/console.js";
import type { ConsoleLimits } from "./core/console/limits.js";
import type { Database } from "./core/database/pool.js";
import { acceptableRequests } from "./core/server/acceptable-requests.js";
import { rawBodies } from "./core/operations/body.js";
import { compression } from "./core/server/compression.js";
import { declaredRoutes } from "./core/operations/declared-routes.js";
import { renderError } from "./core/refusals/render-error.js";
import { gate } from "./core/gate/gate.js";
import { knownHosts } from "./core/server/https-only.js";
import { loadShedding } from "./core/server/load-shedding.js";
import { createMetrics } from "./core/telemetry/metrics.js";
import { health, metricsRoute } from "./core/server/monitoring.js";
import { smallRequests } from "./core/server/receive.js";
import { escapeMalformedUrl, maxUrlLength, notFound, refuseUrl } from "./core/server/routing.js";
import { serverTimeouts } from "./core/server/servers.js";
import { configuredPorts } from "./core/server/service-address.js";
import { closing } from "./core/server/shutdown.js";
import { Reads, buildSerializer } from "./core/operations/serializers.js";
import { reference } from "./core/operations/reference.js";
import { requestId, requestLog } from "./core/server/request-log.js";
import { securityHeaders } from "./core/server/security-headers.js";
import { AcknowledgedRuns } from "./core/imports/acknowledged-runs.js";
import { recordFailedRuns } from "./core/imports/failed-runs.js";
import { RunDetailsSweep } from "./core/imports/history/sweep-run-details.js";
import { ImportAdmission } from "./core/imports/import-admission.js";
import { Instance } from "./core/instances.js";
import { importHistoryRoutes, importRoutes } from "./core/imports/routes.js";
import type { ImportService } from "./core/imports/import-batch.js";
import { startJobs, type Job } from "./core/scheduling/jobs.js";
import { KeyedSemaphore } from "./core/scheduling/keyed-semaphore.js";
import { noteSmallRequest } from "./core/scheduling/time-slice.js";
import { leadRoutes } from "./core/leads/routes.js";
import { locationRoutes } from "./core/locations/routes.js";
import { collectKeyUsage } from "./core/gate/key-usage.js";
import { secretKeySource } from "./core/organizations/secret-key.js";
import { loadedColumns } from "./core/organizations/settings.js";
import { noTracer, type Tracing } from "./core/telemetry/tracer.js";

declare module "fastify" {
  interface FastifyInstance {
    /** This process among those that serve. */
    instance: Instance;
    /** Lets features begin with what they do besides answering requests. */
    startFeatures(): void;
  }
}

/** What the app is built from. Production and tests build the same app. */
export interface AppParts {
  config: Config;
  database: Database;
  logger: FastifyBaseLogger;
  /** A service whose event loop lags behind by more than this answers 503; 0 means never. */
  maxEventLoopDelayMs?: number;
  /** Undefined: nothing is traced. */
  traces?: Pick<Tracing, "tracer" | "observeRequests"> | undefined;
  /** How long to ask whether an import was committed when its commit got no answer. */
  maxAskingMs?: number;
  /** How long an import waits for the lock of its organization, which others may hold. */
  maxLockWaitMs?: number;
  /** How often it looks for what is past its time, and at how the organizations do. */
  sweepIntervalMs?: number;
  /** What one address and one person may ask of the console. */
  consoleLimits?: ConsoleLimits;
  /** How many attempts in a row to bring the embedded database back have failed; for /readyz and the metrics. */
  failedDatabaseRestarts?: () => number;
  /** Which features the service offers. Undefined: all of them. */
  features?: readonly Feature[];
}

const defaultMaxEventLoopDelayMs = 2_000;
const defaultMaxAskingMs = 15_000;
const defaultMaxLockWaitMs = 15_000;
const defaultSweepIntervalMs = 60_000;

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { config, database, logger, traces, maxEventLoopDelayMs = defaultMaxEventLoopDelayMs } = parts;
  const {
    failedDatabaseRestarts = () => 0,
    consoleLimits,
    maxAskingMs = defaultMaxAskingMs,
    maxLockWaitMs = defaultMaxLockWaitMs,
    sweepIntervalMs = defaultSweepIntervalMs,
    features = allFeatures,
  } = parts;
  requireComplete(features);
  const tracer = traces?.tracer ?? noTracer;
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: maxUrlLength },
    rewriteUrl: escapeMalformedUrl,
    frameworkErrors: refuseUrl,
    schemaController: { compilersFactory: { buildSerializer } },
    // This limit would also cut closing short, while requests are in flight. Whoever closes the app decides how long
    // they may take.
    pluginTimeout: 0,
    // server/shutdown.ts refuses what arrives while closing, in the shape of every other error.
    return503OnClosing: false,
    ...serverTimeouts,
  });

  // Every body and every parameter is judged by our own code, which knows what the contract's schemas mean for a
  // single record; the framework's validator would refuse whole batches.
  app.setValidatorCompiler(() => () => true);
  app.setErrorHandler(renderError);

  app.decorate("ports", configuredPorts(config));
  const limits = effectiveLimits(config);

  // Around every request
  const metrics = createMetrics(app, { database, failedDatabaseRestarts });
  const [observer] = features.flatMap(({ observeRequests }) => observeRequests?.(config) ?? []);
  const keyUsage = collectKeyUsage(database.gate, {
    observer,
    onError: (error) => app.log.warn({ err: error }, "key usage was not written"),
  });
  await app.register(requestLog);
  traces?.observeRequests(app);
  await app.register(acceptableRequests);
  await app.register(closing);
  await app.register(declaredRoutes);
  await app.register(notFound);
  await app.register(rawBodies);
  await app.register(securityHeaders);
  await app.register(compression);
  await app.register(knownHosts, { config });
  await app.register(loadShedding, { maxEventLoopDelayMs });
  await app.register(smallRequests, { onSmallRequest: noteSmallRequest });
  await app.register(gate, {
    pool: database.gate,
    limits,
    keyUsage,
    organizationColumns: { organization: loadedColumns("imports"), address: loadedColumns("leads") },
    allowPlainHttp: config.allowPlainHttp,
    tracer,
  });

  // For operators and tools
  await app.register(reference, { config });
  await app.register(health, { database, failedDatabaseRestarts });
  await app.register(metricsRoute, { metrics });

  // Imports run for requests and for features
  const observers = features.flatMap(({ afterImport }) => afterImport ?? []);
  const failedRuns = recordFailedRuns(database.work, app.log, metrics);
  const imports: ImportService = {
    pool: database.work,
    semaphore: importSemaphore(config),
    failedRuns,
    metrics,
    maxAskingMs,
    maxLockWaitMs,
    keepsSentValues: config.sentValuesDays > 0,
    observers,
    log: app.log,
    tracer,
  };
  metrics.watchPlaces("imports", imports.semaphore);
  const admission = new ImportAdmission(metrics);
  const secretKey = secretKeySource(config);
  const instance = new Instance(database.console);
  app.decorate("instance", instance);
  const defineExport = exportDesk(database.console);
  const opened: OpenFeature[] = [];
  for (const feature of features) {
    const open = await feature.open?.({
      ...{
        app,
        config,
        database,
        limits,
        metrics,
        tracer,
        secretKey,
        imports,
        admission,
        instance,
        features,
        observers,
      },
      ...{ areRequestsKept: observer !== undefined, defineExport, failedDatabaseRestarts },
      describeHealth: () => Object.assign({}, ...opened.map(({ describeHealth }) => describeHealth?.())),
    });
    if (open) opened.push(open);
  }

  // The interface
  const acknowledged = new AcknowledgedRuns();
  await app.register(importRoutes, {
    imports,
    admission,
    acknowledged,
    added: opened.flatMap(({ importHeaders }) => importHeaders ?? []),
  });
  const reads = new Reads(database.reads);
  await app.register(importHistoryRoutes, { reads, acknowledged });
  await app.register(locationRoutes, { reads });
  await app.register(leadRoutes, { database, config, secretKey });
  for (const { routes } of opened) if (routes) await app.register(routes);

  // For people
  await app.register(administrationConsole, {
    ...{ config, database, limits, secretKey, consoleLimits, features, opened, defineExport },
  });

  const runDetailsSweep = new RunDetailsSweep(database.console, config.sentValuesDays);
  const jobs: Job[] = [
    { name: "rate limit sweep", run: () => app.rateLimiter.sweep() },
    { name: "run details sweep", run: () => runDetailsSweep.sweep() },
    { name: "instance heartbeat", run: () => instance.heartbeat() },
    ...opened.flatMap((feature) => feature.jobs ?? []),
  ];
  const stopJobs = startJobs(jobs, { intervalMs: sweepIntervalMs, log: app.log });
  app.decorate("startFeatures", () => {
    for (const { start } of opened) start?.();
  });
  let stopping: Promise<unknown> | undefined;
  app.addHook("preClose", async () => {
    stopJobs();
    // Beside the requests in flight: neither may use up the time of the other.
    stopping = Promise.allSettled(opened.map(({ close }) => close?.()));
  });
  app.addHook("onClose", async () => {
    await Promise.all([failedRuns.close(), keyUsage.close(), stopping]);
    // If this fails, the others notice a little later that the instance is gone.
    await instance.deregister().catch(() => undefined);
  });
  return app;
}

/** Throws if a feature is listed without one that it needs. */
function requireComplete(features: readonly Feature[]): void {
  const names = new Set(features.map(({ name }) => name));
  for (const { name, requires = [] } of features)
    for (const required of requires)
      if (!names.has(required)) throw new Error(`The feature ${name} requires the feature ${required}`);
}

/**
 * Leaves two connections for leads and for what is looked up before an import. An organization has one import at a
 * time.
 */
function importSemaphore(config: Pick<Config, "databaseConnections">): KeyedSemaphore {
  const overall = Math.max(1, config.databaseConnections - 2);
  return new KeyedSemaphore({ perKey: 1, overall, maxWaiting: 1_000, maxWaitMs: 30_000 });
}

/** The contract's limits, with the operator's overrides. */
export function effectiveLimits(config: Pick<Config, "limits">): Record<OperationName, RateLimit> {
  return Object.fromEntries(
    operationNames.map((name) => [name, { ...operations[name].limit, ...config.limits[name] }]),
  ) as Record<OperationName, RateLimit>;
}
