import { createServer as createPlainServer, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { headersTimeoutMs, serverTimeouts } from "./timeouts.js";
import { tlsOptions, watchCertificate, type CertificateFiles } from "./tls/secure-context.js";

const maxConnections = 2_000;
const certificateCheckMs = 5_000;

export interface ListenOptions {
  host: string;
  httpsPort: number;
  httpPort: number;
  certificate: CertificateFiles;
}

export interface Listening {
  httpsPort: number;
  httpPort: number;
}

/** Two listeners on one app: TLS for the interface, plain HTTP for health, metrics and pages on this machine. */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listening> {
  const secure = createSecureServer(
    { ...(await tlsOptions(options.certificate)), ...serverTimeouts },
    app.routing,
  );
  const plain = createPlainServer(serverTimeouts, app.routing);
  for (const server of [secure, plain]) {
    server.headersTimeout = headersTimeoutMs;
    server.maxConnections = maxConnections;
  }
  const watcher = watchCertificate(secure, options.certificate, {
    intervalMs: certificateCheckMs,
    onReload: () => app.log.info("the certificate was renewed"),
    onError: (error) =>
      app.log.error({ err: error }, "the renewed certificate is not usable; the old one stays"),
  });

  app.addHook("preClose", async () => {
    watcher.stop();
    await Promise.all([closeServer(secure), closeServer(plain)]);
  });
  await app.ready();
  await bind(secure, options.httpsPort, options.host);
  await bind(plain, options.httpPort, options.host);
  return { httpsPort: portOf(secure), httpPort: portOf(plain) };
}

function bind(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/** Takes no new connections, closes the idle ones and waits until the requests in flight are answered. */
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
