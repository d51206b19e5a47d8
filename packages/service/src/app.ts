import { operations, operationNames, type OperationName, type RateLimit } from "@gatehouse-parking/contract";
import type { Config } from "./core/config.js";
import { administrationConsole } from "./core/console/console.js";
import { createDefineExport } from "./core/console/define-export.js";
import type { ConsoleLimits } from "./core/console/limits.js";
import type { Database } from "./core/database/pool.js";
import type { Feature, FeatureContext, RegisteredFeature } from "./core/feature.js";
import { gate } from "./core/gate/gate.js";
import { collectKeyUsage } from "./core/gate/key-usage.js";
import { AcknowledgedRuns } from "./core/imports/acknowledged-runs.js";
import { recordFailedRuns } from "./core/imports/failed-runs.js";
import { ImportAdmission } from "./core/imports/import-admission.js";
import type { ImportService } from "./core/imports/import-batch.js";
import { importHistoryRoutes, importRoutes } from "./core/imports/routes.js";
import { Instance } from "./core/instances.js";
import { leadRoutes } from "./core/leads/routes.js";
import { locationRoutes } from "./core/locations/routes.js";
import { rawBodies } from "./core/operations/body.js";
import { declaredRoutes } from "./core/operations/declared-routes.js";
import { reference } from "./core/operations/reference.js";
import { Reads, buildSerializer } from "./core/operations/serializers.js";
import { secretKeySource } from "./core/organizations/secrets.js";
import { loadedColumns } from "./core/organizations/settings.js";
import { renderError } from "./core/refusals/render-error.js";
import { startJobs, type Job } from "./core/scheduling/jobs.js";
import { KeyedSemaphore } from "./core/scheduling/keyed-semaphore.js";
import { acceptableRequests } from "./core/server/acceptable-requests.js";
import { compression } from "./core/server/compression.js";
import { knownHosts } from "./core/server/https-only.js";
import { loadShedding } from "./core/server/load-shedding.js";
import { health, metricsRoute } from "./core/server/monitoring.js";
import { prioritizeSmallRequests } from "./core/server/receive.js";
import { requestId, requestLog } from "./core/server/request-log.js";
import { escapeMalformedUrl, maxUrlLength, notFound, refuseUrl } from "./core/server/routing.js";
import { securityHeaders } from "./core/server/security-headers.js";
import { serverTimeouts } from "./core/server/servers.js";
import { configuredPorts } from "./core/server/service-address.js";
import { closing } from "./core/server/shutdown.js";
import { createMetrics } from "./core/telemetry/metrics.js";
import { noTracer, type Tracing } from "./core/telemetry/tracer.js";
import { features as allFeatures } from "./features.js";
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyInstance {
    /** This process among the instances that share the database. */
    instance: Instance;
    /** Starts the background work of the features. */
    startFeatures(): void;
  }
}

/** Production and tests build the same app; tests override the defaults. */
export interface AppOptions {
  config: Config;
  database: Database;
  logger: FastifyBaseLogger;
  /** Undefined: requests are not traced. */
  traces?: Pick<Tracing, "tracer" | "observeRequests"> | undefined;
  features?: readonly Feature[];
  consoleLimits?: ConsoleLimits;
  /** Requests get 503 while the event loop lags by more than this. 0: never. */
  maxEventLoopDelayMs?: number;
  /** How long to ask the database whether an import was committed, if its commit got no answer. */
  commitCheckTimeoutMs?: number;
  /** How long an import waits for the lock of its organization. */
  maxLockWaitMs?: number;
  jobIntervalMs?: number;
  /** Failed attempts in a row to restart the embedded database, for /readyz and the metrics. */
  failedDatabaseRestarts?: () => number;
}

const defaults = {
  features: allFeatures,
  maxEventLoopDelayMs: 2_000,
  commitCheckTimeoutMs: 15_000,
  maxLockWaitMs: 15_000,
  jobIntervalMs: 60_000,
  failedDatabaseRestarts: () => 0,
};

/** The composition root. Hooks run in the order in which their plugins are registered here. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, database, logger, traces, features, ...settings } = { ...defaults, ...options };
  const { failedDatabaseRestarts, maxEventLoopDelayMs } = settings;
  const tracer = traces?.tracer ?? noTracer;
  const limits = effectiveLimits(config);
  const secretKey = secretKeySource(config);
  const app = createServer(config, logger);

  // Every request
  const metrics = createMetrics(app, { database, failedDatabaseRestarts });
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
  await app.register(prioritizeSmallRequests);

  // API keys, permissions and rate limits
  const [observer] = features.flatMap(({ observeRequests }) => observeRequests?.(config) ?? []);
  const keyUsage = collectKeyUsage(database.gate, {
    observer,
    onError: (error) => app.log.warn({ err: error }, "key usage write failed"),
  });
  await app.register(gate, {
    pool: database.gate,
    limits,
    keyUsage,
    organizationColumns: { organization: loadedColumns("imports"), address: loadedColumns("leads") },
    allowPlainHttp: config.allowPlainHttp,
    tracer,
  });

  // Documentation and monitoring
  await app.register(reference, { config });
  await app.register(health, { database, failedDatabaseRestarts });
  await app.register(metricsRoute, { metrics });

  // Imports, for the API and for features
  const semaphore = importSemaphore(config.databaseConnections);
  metrics.watchSlots("imports", semaphore);
  const admission = new ImportAdmission(metrics);
  const failedRuns = recordFailedRuns(database.work, app.log, metrics);
  const imports: ImportService = {
    pool: database.work,
    semaphore,
    failedRuns,
    metrics,
    commitCheckTimeoutMs: settings.commitCheckTimeoutMs,
    maxLockWaitMs: settings.maxLockWaitMs,
    observers: features.flatMap(({ afterImport }) => afterImport?.(config) ?? []),
    log: app.log,
    tracer,
  };

  // Features
  const instance = new Instance(database.console);
  app.decorate("instance", instance);
  const defineExport = createDefineExport(database.console);
  const reads = new Reads(database.reads);
  const registered = await registerFeatures({
    app,
    config,
    database,
    limits,
    secretKey,
    reads,
    imports,
    admission,
    features,
    isRequestLogKept: observer !== undefined,
    defineExport,
    failedDatabaseRestarts,
  });

  // The public API
  const acknowledged = new AcknowledgedRuns();
  const added = registered.flatMap(({ importHeaders }) => importHeaders ?? []);
  await app.register(importRoutes, { imports, admission, acknowledged, added });
  await app.register(importHistoryRoutes, { reads, acknowledged });
  await app.register(locationRoutes, { reads });
  await app.register(leadRoutes, { database, config, secretKey });
  for (const { routes } of registered) if (routes) await app.register(routes);

  // The console
  const { consoleLimits } = settings;
  await app.register(administrationConsole, {
    config,
    database,
    limits,
    secretKey,
    consoleLimits,
    features,
    registered,
    defineExport,
  });

  // Background work
  const jobs: Job[] = [
    { name: "rate limit sweep", run: () => app.rateLimiter.sweep() },
    { name: "instance heartbeat", run: () => instance.heartbeat() },
    ...registered.flatMap((feature) => feature.jobs ?? []),
  ];
  const stopJobs = startJobs(jobs, { intervalMs: settings.jobIntervalMs, log: app.log });
  app.decorate("startFeatures", () => {
    for (const { start } of registered) start?.();
  });

  // Shutdown. Features close while the requests in flight are answered, so that neither uses up the other's time.
  let closingFeatures: Promise<unknown> | undefined;
  app.addHook("preClose", async () => {
    stopJobs();
    closingFeatures = Promise.allSettled(registered.map(({ close }) => close?.()));
  });
  app.addHook("onClose", async () => {
    await Promise.all([failedRuns.close(), keyUsage.close(), closingFeatures]);
    // If this fails, the other instances notice the missing heartbeat.
    await instance.deregister().catch(() => undefined);
  });
  return app;
}

function createServer(config: Config, logger: FastifyBaseLogger): FastifyInstance {
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: maxUrlLength },
    rewriteUrl: escapeMalformedUrl,
    frameworkErrors: refuseUrl,
    schemaController: { compilersFactory: { buildSerializer } },
    // A limit here would also end the shutdown while requests are in flight. The caller of close() limits it instead.
    pluginTimeout: 0,
    // server/shutdown.ts rejects requests during the shutdown, with the same envelope as every other error.
    return503OnClosing: false,
    ...serverTimeouts,
  });
  // Bodies and parameters are validated by our own code, record by record. Fastify would reject the whole batch.
  app.setValidatorCompiler(() => () => true);
  app.setErrorHandler(renderError);
  app.decorate("ports", configuredPorts(config));
  return app;
}

/** Leaves two connections for leads and for lookups before an import. Imports of one organization run one at a time. */
function importSemaphore(databaseConnections: number): KeyedSemaphore {
  const overall = Math.max(1, databaseConnections - 2);
  return new KeyedSemaphore({ perKey: 1, overall, maxWaiting: 1_000, maxWaitMs: 30_000 });
}

async function registerFeatures(
  context: Omit<FeatureContext, "describeHealth">,
): Promise<RegisteredFeature[]> {
  const registered: RegisteredFeature[] = [];
  const describeHealth = () => Object.assign({}, ...registered.map((feature) => feature.describeHealth?.()));
  const names = new Set(context.features.map(({ name }) => name));
  for (const { name, requires = [], register } of context.features) {
    const missing = requires.find((required) => !names.has(required));
    if (missing !== undefined) throw new Error(`The feature ${name} requires the feature ${missing}`);
    if (register) registered.push(await register({ ...context, describeHealth }));
  }
  return registered;
}

/** The published limits, with the operator's overrides. */
export function effectiveLimits(config: Pick<Config, "limits">): Record<OperationName, RateLimit> {
  return Object.fromEntries(
    operationNames.map((name) => [name, { ...operations[name].limit, ...config.limits[name] }]),
  ) as Record<OperationName, RateLimit>;
}
