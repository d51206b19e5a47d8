import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll } from "vitest";
import { buildApp } from "../src/app.js";
import type { Database } from "../src/core/database/pool.js";
import { startFaultProxy, type FaultProxy } from "./fault-proxy.js";
import { openPatientDatabase, type TestApp } from "./harness.js";

export interface Instance {
  app: FastifyInstance;
  database: Database;
  proxy: FaultProxy;
}

/** Creates further instances on the database of `gatehouse`, each with a connection that can be broken. */
export function useInstances(gatehouse: TestApp): () => Promise<Instance> {
  const closers: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });
  return async () => {
    const proxy = await startFaultProxy(gatehouse.connectionString);
    closers.push(() => proxy.close());
    const spoiled = openPatientDatabase({ connectionString: proxy.connectionString, workConnections: 3 });
    closers.push(() => spoiled.close());
    const database = { ...gatehouse.database, work: spoiled.work };
    const logger = pino({ level: "silent" });
    const app = await buildApp({ config: gatehouse.config, database, logger, commitCheckTimeoutMs: 0 });
    closers.push(() => app.close());
    return { app, database, proxy };
  };
}
