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

/** How long a client may take until its connection is closed. */
export const serverTimeouts = {
  /** The whole request, body included: 5 MB over a slow line. */
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
} as const;

export const listenerTimeouts = {
  ...serverTimeouts,
  headersTimeout: 15_000,
  handshakeTimeout: 10_000,
  /** How often slow requests are looked for. They may be closed this much later than their limit. */
  connectionsCheckingInterval: 5_000,
  /** How long the rest of a request is read and discarded after an early answer. */
  lingerTimeout: 5_000,
  /** How long the client may take nothing of an answer. */
  unreadTimeout: 30_000,
};
export type ListenerTimeouts = { [Name in keyof typeof listenerTimeouts]: number };

const maxConnections = 2_000;
const defaultCertificateCheckMs = 5_000;
const idleCheckMs = 50;

export interface ListenOptions {
  host: string;
  /** Where the plain port listens. Undefined: on `host`. */
  httpHost?: string | undefined;
  httpsPort: number;
  httpPort: number;
  /** Undefined: no listener for TLS, because a proxy ends it. */
  certificate: CertificateFiles | undefined;
  /** Open connections per client address, except trusted proxies; 0: no limit. */
  connectionsPerAddress?: number;
  trustedProxies?: readonly string[];
  /** How often the files of the certificate are looked at. */
  certificateCheckMs?: number;
  /** Overrides, in milliseconds. */
  timeouts?: Partial<ListenerTimeouts>;
}

export interface Listening extends Ports {
  openConnections(): Promise<number>;
  /** Destroys every connection, also those with requests in flight. */
  destroyConnections(): void;
}

/** Two listeners on one app: TLS for the interface, plain HTTP for health, metrics and pages on this machine. */
export async function listen(app: FastifyInstance, options: ListenOptions): Promise<Listening> {
  const { certificate, connectionsPerAddress = 0, trustedProxies = [] } = options;
  const timeouts = { ...listenerTimeouts, ...options.timeouts };
  // A request without a host is the app's to refuse, in the shape of every other error.
  const serverOptions = { ...timeouts, requireHostHeader: false };
  const plain = createPlainServer(serverOptions);
  const tls = certificate && (await tlsOptions(certificate));
  if (tls) noteCertificate(app, tls.cert);
  const secure = tls && createSecureServer({ ...tls, ...serverOptions });
  // The plain one is closed last, so that health checks see "shutting down" while the requests in flight are answered.
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

/** One that no client accepts is used all the same: health checks and those who do not look go on. */
function noteCertificate(app: FastifyInstance, pem: string | Buffer): void {
  app.metrics.useCertificate(pem);
  const { validFrom, validTo } = new X509Certificate(pem);
  const now = Date.now();
  if (now < Date.parse(validFrom) || now > Date.parse(validTo))
    app.log.warn({ validFrom, validTo }, "TLS certificate is expired or not yet valid");
}

/** Reports a taken port before anything is created. Another process may still take it afterwards; then `listen` fails. */
export async function requireFreePorts(options: PlaceOptions & { https: boolean }): Promise<void> {
  const places = [...(options.https ? [securePlace(options)] : []), plainPlace(options)];
  for (const place of places) {
    const trial = createNetServer();
    await bind(trial, place);
    await new Promise((resolve) => trial.close(resolve));
  }
}

type PlaceOptions = Pick<ListenOptions, "host" | "httpHost" | "httpsPort" | "httpPort">;

/** Where a server listens, and the variables that an operator corrects if that fails. */
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
        `Port ${port} on ${host} is taken by another process. Set ${variables.port} to a free one.`,
      );
    case "EACCES":
      return new Error(`Port ${port} needs rights this user lacks. Set ${variables.port} to one above 1023.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new Error(`${host} is not an address of this machine. Correct ${variables.host}.`);
    default:
      return error;
  }
}

/** A function that takes no new connections and waits until the requests in flight are answered. */
function closerOf(server: Server): () => Promise<void> {
  const unused = trackUnusedConnections(server);
  return () =>
    new Promise((resolve) => {
      // Node closes connections that are idle now; one that falls idle later would hold the server for its keep-alive
      // time, so they are looked for again and again.
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
