import { X509Certificate } from "node:crypto";
import { createServer as createPlainServer, type Server } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import { createServer as createNetServer, type AddressInfo, type Server as NetServer } from "node:net";
import type { FastifyInstance } from "fastify";
import { answerClientErrors, refuseForeignMethods } from "./client-errors.js";
import {
  closeUnreadConnections,
  limitConnections,
  lingerOnClose,
  trackUnusedConnections,
  answerInOrder,
} from "./connections.js";
import { parseInSlices } from "./parse-in-slices.js";
import type { Ports } from "./service-address.js";
import { tlsOptions, watchCertificate, type CertificateFiles } from "./tls/secure-context.js";

/** How long a client may take before its connection is closed. */
export const serverTimeouts = {
  /** The whole request with its body: 5 MB over a slow line. */
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
} as const;

export const listenerTimeouts = {
  ...serverTimeouts,
  headersTimeout: 15_000,
  handshakeTimeout: 10_000,
  /** The interval of checks for slow requests. They may be closed this much after their limit. */
  connectionsCheckingInterval: 5_000,
  /** How long the rest of a request is read and discarded after an early answer. */
  lingerTimeout: 5_000,
  /** How long a client may read nothing of an answer. */
  unreadTimeout: 30_000,
};
export type ListenerTimeouts = { [Name in keyof typeof listenerTimeouts]: number };

const maxConnections = 2_000;
const defaultCertificateCheckMs = 5_000;
const idleCheckMs = 50;

export interface ListenOptions {
  host: string;
  /** The listen address of the plain port. Undefined: the same as `host`. */
  httpHost?: string | undefined;
  httpsPort: number;
  httpPort: number;
  /** Undefined: no TLS listener, because a proxy terminates TLS. */
  certificate: CertificateFiles | undefined;
  /** Open connections per client address, except trusted proxies; 0: no limit. */
  connectionsPerAddress?: number;
  trustedProxies?: readonly string[];
  /** The interval of checks for changed certificate files. */
  certificateCheckMs?: number;
  /** Overrides, in milliseconds. */
  timeouts?: Partial<ListenerTimeouts>;
}

export interface Listening extends Ports {
  openConnections(): Promise<number>;
  /** Destroys all connections, including those with requests in flight. */
  destroyConnections(): void;
}

/** Two listeners for one app: TLS for the API and the console, plain HTTP for health, metrics and local pages. */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listening> {
  const { certificate, connectionsPerAddress = 0, trustedProxies = [] } = options;
  const timeouts = { ...listenerTimeouts, ...options.timeouts };
  // The app rejects requests without a host, with the usual error envelope.
  const serverOptions = { ...timeouts, requireHostHeader: false };
  const plain = createPlainServer(serverOptions);
  const tls = certificate && (await tlsOptions(certificate));
  if (tls) noteCertificate(app, tls.cert);
  const secure = tls && createSecureServer({ ...tls, ...serverOptions });
  // The plain listener closes last, so that health checks see "shutting down" while requests in flight are answered.
  const servers = secure ? [secure, plain] : [plain];
  const closers = servers.map(closerOf);
  for (const server of servers) {
    server.maxConnections = maxConnections;
    limitConnections(server, { perAddress: connectionsPerAddress, trustedProxies, log: app.log });
    answerInOrder(server, refuseForeignMethods(app.routing, app.log));
    lingerOnClose(server, timeouts.lingerTimeout);
    answerClientErrors(server, { log: app.log, lingerMs: timeouts.lingerTimeout });
    closeUnreadConnections(server, timeouts.unreadTimeout, timeouts.connectionsCheckingInterval);
  }
  parseInSlices(servers);
  const checkMs = options.certificateCheckMs ?? defaultCertificateCheckMs;
  const watcher = secure && certificate && followCertificate(app, secure, certificate, checkMs);

  app.addHook("preClose", async () => {
    watcher?.stop();
    for (const close of closers) await close();
  });
  await app.ready();
  if (secure) await bind(secure, securePlace(options));
  await bind(plain, plainPlace(options));
  // Without a listener, a connection that cannot be accepted (too many open files) would end the process.
  for (const server of servers)
    server.on("error", (error) => app.log.error({ err: error }, "connection could not be accepted"));
  app.ports = { httpsPort: secure ? portOf(secure) : null, httpPort: portOf(plain) };
  return {
    ...app.ports,
    openConnections: async () => {
      const counts = await Promise.all(servers.map(countConnections));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    destroyConnections: () => {
      for (const server of servers) server.closeAllConnections();
    },
  };
}

function followCertificate(
  app: FastifyInstance,
  server: SecureServer,
  certificate: CertificateFiles,
  intervalMs: number,
): { stop(): void } {
  return watchCertificate(server, certificate, {
    intervalMs,
    onReload: (renewed) => {
      app.log.info("TLS certificate reloaded");
      noteCertificate(app, renewed.cert);
    },
    onError: (error) => app.log.error({ err: error }, "TLS certificate reload failed, keeping the old one"),
  });
}

/** An expired certificate is still used: health checks and clients that do not verify it keep working. */
function noteCertificate(app: FastifyInstance, pem: string | Buffer): void {
  app.metrics.useCertificate(pem);
  const { validFrom, validTo } = new X509Certificate(pem);
  const now = Date.now();
  if (now < Date.parse(validFrom) || now > Date.parse(validTo))
    app.log.warn({ validFrom, validTo }, "TLS certificate is expired or not yet valid");
}

/** Reports a port in use before anything is created. If another process takes it afterwards, `listen` fails. */
export async function requireFreePorts(options: PlaceOptions & { https: boolean }): Promise<void> {
  const places = [...(options.https ? [securePlace(options)] : []), plainPlace(options)];
  for (const place of places) {
    const trial = createNetServer();
    await bind(trial, place);
    await new Promise((resolve) => trial.close(resolve));
  }
}

type PlaceOptions = Pick<ListenOptions, "host" | "httpHost" | "httpsPort" | "httpPort">;

/** The listen address, and the variables to correct if listening fails. */
interface Place {
  port: number;
  host: string;
  variables: { port: string; host: string };
}

function securePlace({ host, httpsPort }: PlaceOptions): Place {
  return { port: httpsPort, host, variables: { port: "GATEHOUSE_HTTPS_PORT", host: "GATEHOUSE_HOST" } };
}

function plainPlace({ host, httpHost, httpPort }: PlaceOptions): Place {
  const hostVariable = httpHost === undefined ? "GATEHOUSE_HOST" : "GATEHOUSE_HTTP_HOST";
  return {
    port: httpPort,
    host: httpHost ?? host,
    variables: { port: "GATEHOUSE_HTTP_PORT", host: hostVariable },
  };
}

function bind(server: NetServer, place: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (error: NodeJS.ErrnoException): void => reject(explain(error, place));
    server.once("error", refused);
    server.listen(place.port, place.host, () => {
      server.off("error", refused);
      resolve();
    });
  });
}

function explain(error: NodeJS.ErrnoException, { port, host, variables }: Place): Error {
  switch (error.code) {
    case "EADDRINUSE":
      return new Error(
        `Port ${port} on ${host} is in use by another process. Set ${variables.port} to a free port.`,
      );
    case "EACCES":
      return new Error(
        `Port ${port} requires privileges that this user does not have. Set ${variables.port} to a port above 1023.`,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new Error(`${host} is not an address of this machine. Correct ${variables.host}.`);
    default:
      return error;
  }
}

/** Returns a function that stops accepting connections and waits until the requests in flight are answered. */
function closerOf(server: Server): () => Promise<void> {
  const unused = trackUnusedConnections(server);
  return () =>
    new Promise((resolve) => {
      // Node closes only connections that are idle now. One that becomes idle later would delay the shutdown by its
      // keep-alive timeout, so this is repeated.
      const reaper = setInterval(() => {
        unused.destroy();
        server.closeIdleConnections();
      }, idleCheckMs);
      server.close(() => {
        clearInterval(reaper);
        resolve();
      });
    });
}

function countConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
