import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll } from "vitest";
import { buildApp } from "../src/app.js";
import { readConfig, type Config } from "../src/config.js";
import { listen } from "../src/core/server/servers.js";
import { loadOrCreateCertificate } from "../src/core/server/tls/certificates.js";
import { openPatientDatabase, type TestApp } from "./harness.js";

/**
 * The service as in production, with real ports and a certificate, on the database of `useApp`. For tests that
 * injected requests cannot cover: browsers, TLS, connections.
 */
export interface RunningService {
  readonly url: string;
  /** File with the CA certificate that clients have to trust. */
  readonly caFile: string;
}

const host = "127.0.0.1";

export function useRunningService(gatehouse: TestApp, overrides: Partial<Config> = {}): RunningService {
  let url = "";
  let caFile = "";
  const closers: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), "gatehouse-running-"));
    closers.push(() => rm(dataDirectory, { recursive: true, force: true }));
    const database = openPatientDatabase({
      connectionString: gatehouse.connectionString,
      workConnections: 4,
    });
    closers.push(() => database.close());
    const config: Config = { ...readConfig({}), secretKey: Buffer.alloc(32, 7), ...overrides };
    const app = await buildApp({
      config,
      database,
      logger: pino({ level: "silent" }),
      maxEventLoopDelayMs: 0,
    });
    closers.push(() => app.close());
    const { caFile: authority, ...certificate } = await loadOrCreateCertificate({
      dataDirectory,
      hosts: [host],
    });
    const { httpsPort, destroyConnections } = await listen(app, {
      host,
      httpsPort: 0,
      httpPort: 0,
      certificate,
    });
    closers.push(async () => destroyConnections());
    url = `https://${host}:${httpsPort}`;
    caFile = authority;
  });
  afterAll(async () => {
    for (const close of closers.toReversed()) await close();
  });

  return {
    get url() {
      return url;
    },
    get caFile() {
      return caFile;
    },
  };
}
