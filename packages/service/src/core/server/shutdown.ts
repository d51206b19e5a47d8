import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { Refused } from "../refusals/refused.js";

declare module "fastify" {
  interface FastifyInstance {
    isClosing(): boolean;
  }
  interface FastifyContextConfig {
    answersWhileClosing?: boolean;
  }
}

/**
 * During the shutdown, requests in flight are answered, new requests on open connections are rejected, and health and
 * metrics keep answering. While draining, the instance is not ready but answers everything. In both states, every
 * answer closes its connection: on a kept connection, a load balancer could send a request just as it closes.
 */
export const closing = fastifyPlugin(async (app: FastifyInstance) => {
  let isClosing = false;
  app.decorate("isClosing", () => isClosing);
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  app.addHook("onRequest", (request, _reply, done) => {
    const isRefused = isClosing && !request.routeOptions.config.answersWhileClosing;
    done(isRefused ? new Refused("shuttingDown") : undefined);
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (isClosing || app.readiness.obstacle !== undefined) void reply.header("connection", "close");
    done();
  });
});

export interface ShutdownParts {
  logger: FastifyBaseLogger;
  /** How long requests are still accepted after SIGTERM, until load balancers notice that the service is not ready. */
  drainMs: number;
  /** Makes the service not ready. Returns false if it was not ready yet. */
  beginDraining(): boolean;
  /** The limit for the shutdown after draining. */
  limitMs: number;
  /** Answers requests in flight and closes everything. */
  close(): Promise<void>;
  /** Destroys the connections that are still open. */
  destroyConnections(): void;
}

/** Under npm, Ctrl-C delivers the signal twice: from the terminal and from npm. */
const repeatedSignalMs = 1_000;
/** The part of the limit reserved for closing the pools and the database server. */
const closingReserveMs = 5_000;

/**
 * Graceful shutdown on SIGTERM, SIGINT and SIGHUP, and after an uncaught error. Only SIGTERM, which orchestrators
 * send, drains first: after Ctrl-C a person is waiting.
 */
export function endOnSignals(parts: ShutdownParts): void {
  let begunAtMs: number | undefined;
  let isEnding = false;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => onSignal(signal));
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      parts.logger.fatal({ err: error }, "uncaught error, shutting down");
      void end(1);
    });
  }

  function onSignal(signal: NodeJS.Signals): void {
    if (begunAtMs === undefined) {
      begunAtMs = performance.now();
      const isDrained = signal === "SIGTERM" && parts.drainMs > 0 && parts.beginDraining();
      if (isDrained) drain(signal);
      else endBySignal(signal);
    } else if (performance.now() - begunAtMs > repeatedSignalMs) {
      parts.logger.warn({ signal }, "second signal, exiting immediately");
      process.exit(1);
    }
  }

  function drain(signal: NodeJS.Signals): void {
    parts.logger.info(
      { signal, drainMs: parts.drainMs },
      "draining: no longer ready, still serving requests",
    );
    setTimeout(() => endBySignal(signal), parts.drainMs);
  }

  function endBySignal(signal: NodeJS.Signals): void {
    parts.logger.info({ signal }, "shutting down");
    void end(0);
  }

  async function end(exitCode: number): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    begunAtMs ??= performance.now();
    const reserveMs = Math.min(closingReserveMs, parts.limitMs / 4);
    setTimeout(() => {
      parts.logger.warn("shutdown is slow, destroying open connections");
      parts.destroyConnections();
    }, parts.limitMs - reserveMs).unref();
    setTimeout(() => {
      parts.logger.error("shutdown timed out");
      process.exit(1);
    }, parts.limitMs).unref();
    try {
      await parts.close();
      parts.logger.info("shutdown complete");
      process.exit(exitCode);
    } catch (error) {
      parts.logger.error({ err: error }, "shutdown failed");
      process.exit(1);
    }
  }
}
