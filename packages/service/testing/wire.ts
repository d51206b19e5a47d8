import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect as connectPlain, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectSecure } from "node:tls";
import type { FastifyInstance } from "fastify";
import { afterAll } from "vitest";
import {
  listen,
  type ListenerTimeouts,
  type Listening,
  type ListenOptions,
} from "../src/core/server/servers.js";
import { loadOrCreateCertificate } from "../src/core/server/tls/certificates.js";

/**
 * The app behind production listeners, with a real certificate, and clients that send exact bytes. Pass `listen` to
 * useApp as its `prepare`.
 */
export interface Wire {
  listen(app: FastifyInstance): Promise<void>;
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The certificate that clients trust. */
  readonly ca: string;
  /** Closes all connections of the test. */
  hangUp(): void;
  /** The number of the service's open connections, on both ports. */
  openConnections(): Promise<number>;
  /** Opens a connection, over TLS unless specified otherwise. */
  connect(options?: { plain?: boolean }): Promise<Connection>;
  /** Sends the bytes on a new connection and returns what was received until it closed. */
  say(bytes: string | Buffer, options?: { plain?: boolean }): Promise<WireAnswer[]>;
}

export interface Connection {
  readonly socket: Socket;
  send(bytes: string | Buffer): void;
  /** The answers so far, once there are this many. */
  answers(count: number): Promise<WireAnswer[]>;
  /** All answers, once the connection is closed. */
  untilClosed(): Promise<WireAnswer[]>;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function useWire(
  timeouts: Partial<ListenerTimeouts> = {},
  limits: Pick<ListenOptions, "connectionsPerAddress" | "trustedProxies"> = {},
): Wire {
  let listening: Listening;
  let directory: string;
  let ca: string;
  const sockets = new Set<Socket>();
  const hangUp = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  afterAll(async () => {
    hangUp();
    await rm(directory, { recursive: true, force: true });
  });

  async function connect({ plain = false } = {}): Promise<Connection> {
    const { httpPort } = listening;
    const httpsPort = listening.httpsPort as number;
    const socket = plain
      ? connectPlain(httpPort, "127.0.0.1")
      : connectSecure({ port: httpsPort, host: "127.0.0.1", servername: "localhost", ca });
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    await once(socket, plain ? "connect" : "secureConnect");
    return follow(socket);
  }

  return {
    async listen(app) {
      directory = await mkdtemp(join(tmpdir(), "gatehouse-wire-"));
      const { caFile, ...certificate } = await loadOrCreateCertificate({ dataDirectory: directory });
      ca = await readFile(caFile, "utf8");
      const ports = { host: "127.0.0.1", httpsPort: 0, httpPort: 0 };
      listening = await listen(app, { ...ports, certificate, timeouts, ...limits });
    },
    get httpsPort() {
      return listening.httpsPort as number;
    },
    get httpPort() {
      return listening.httpPort;
    },
    get ca() {
      return ca;
    },
    hangUp,
    openConnections: () => listening.openConnections(),
    connect,
    async say(bytes, options) {
      const connection = await connect(options);
      connection.send(bytes);
      return connection.untilClosed();
    },
  };
}

function follow(socket: Socket): Connection {
  let received = "";
  let isClosed = false;
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  socket.on("data", (bytes) => {
    received += bytes.toString("latin1");
    tell();
  });
  // A reset counts as a close here; only the answers before it matter.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
    tell();
  });

  function answersOnce(isEnough: () => boolean): Promise<WireAnswer[]> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isEnough() && !isClosed) return;
        watchers.delete(look);
        if (isEnough()) resolve(parseAnswers(received));
        else reject(new Error(`The connection was closed after: ${received}`));
      };
      watchers.add(look);
      look();
    });
  }

  return {
    socket,
    send: (bytes) => void socket.write(bytes),
    answers: (count) => answersOnce(() => parseAnswers(received).length >= count),
    untilClosed: () => answersOnce(() => isClosed),
  };
}

/** The complete answers received. Interim answers (100) are omitted. */
function parseAnswers(received: string): WireAnswer[] {
  const answers: WireAnswer[] = [];
  for (let rest = received; ;) {
    const headEnd = rest.indexOf("\r\n\r\n");
    if (headEnd === -1) return answers;
    const [first = "", ...lines] = rest.slice(0, headEnd).split("\r\n");
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const bodyEnd = headEnd + 4 + Number(headers["content-length"] ?? 0);
    if (rest.length < bodyEnd) return answers;
    const status = Number(first.split(" ")[1]);
    if (status >= 200) answers.push({ status, headers, body: rest.slice(headEnd + 4, bodyEnd) });
    rest = rest.slice(bodyEnd);
  }
}
