import type { FastifyBaseLogger } from "fastify";

export interface ShutdownParts {
  logger: FastifyBaseLogger;
  /** How long after SIGTERM requests are still taken, while balancers learn that they should go elsewhere. */
  drainMs: number;
  /** Tells balancers. False: there is nobody to tell. */
  beginDraining(): boolean;
  /** The shutdown proper, without the draining, ends within this time. */
  limitMs: number;
  /** Answers what is in flight and closes everything. */
  close(): Promise<void>;
  /** Ends what does not come to an end by itself. */
  cut(): void;
}

/** Ctrl-C under npm delivers the signal twice: the terminal signals the whole group, and npm passes its own on. */
const repeatedSignalMs = 1_000;
/** How much of the limit is kept for closing pools and the database server after the last answer. */
const closingReserveMs = 5_000;

/**
 * Ends the process in good order on SIGTERM, Ctrl-C and a closed terminal, and after an error nobody caught. Only SIGTERM,
 * by which machines stop a service, drains it first: a person who presses Ctrl-C waits for it.
 */
export function endOnSignals(parts: ShutdownParts): void {
  let begunAtMs: number | undefined;
  let isEnding = false;
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => onSignal(signal));
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.on(event, (error: unknown) => {
      parts.logger.fatal({ err: error }, "an error that nobody caught ends the process");
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
      parts.logger.warn({ signal }, "ending at once");
      process.exit(1);
    }
  }

  function drain(signal: NodeJS.Signals): void {
    parts.logger.info({ signal, drainMs: parts.drainMs }, "not ready any more; requests are still taken");
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
      parts.logger.warn("requests in flight took too long and are cut");
      parts.cut();
    }, parts.limitMs - reserveMs).unref();
    setTimeout(() => {
      parts.logger.error("the shutdown took too long and is broken off");
      process.exit(1);
    }, parts.limitMs).unref();
    try {
      await parts.close();
      parts.logger.info("shut down");
      process.exit(exitCode);
    } catch (error) {
      parts.logger.error({ err: error }, "the shutdown failed");
      process.exit(1);
    }
  }
}
