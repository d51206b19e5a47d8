import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { Refused } from "../refusals/refused.js";

/**
 * How long the event loop must be late before requests are rejected. Each measurement covers the previous second, so a
 * single pause (a start on a busy machine, a suspended laptop) is already over when it is seen.
 */
const lastingMs = 1_500;
const measuredEveryMs = 1_000;
const resolutionMs = 10;
/** Pressure has ended if no request met it for this long. */
const endedAfterMs = 1_500;

export function shedLastingPressure(now: () => number = () => performance.now()) {
  let beganAtMs = Number.NEGATIVE_INFINITY;
  let seenAtMs = Number.NEGATIVE_INFINITY;
  /** Called for every request that arrives under pressure. */
  return (): Promise<never> | undefined => {
    const at = now();
    if (at - seenAtMs > endedAfterMs) beganAtMs = at;
    seenAtMs = at;
    return at - beganAtMs < lastingMs ? undefined : Promise.reject(new Refused("overloaded"));
  };
}

/**
 * Refuses requests with 503 while the event loop lags. Probes, metrics and static files still answer: a failing probe
 * would get a busy instance killed.
 */
export const loadShedding = fastifyPlugin<{ maxEventLoopDelayMs: number }>(
  async (app: FastifyInstance, { maxEventLoopDelayMs }) => {
    if (maxEventLoopDelayMs === 0) return;
    const shed = shedLastingPressure();
    const delayMs = measureEventLoopDelay(app);
    app.addHook("onRequest", async (request) => {
      if (delayMs() > maxEventLoopDelayMs && !request.routeOptions.config.quiet) await shed();
    });
  },
);

/**
 * The mean delay of the event loop in the last second. Memory usage is not measured: Node reads it from a file, and
 * throws inside a timer when the process is out of file descriptors.
 */
function measureEventLoopDelay(app: FastifyInstance): () => number {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  let delayMs = 0;
  const timer = setInterval(() => {
    // No sample in the last second: the event loop was blocked.
    delayMs = Number.isNaN(delays.mean) ? Number.POSITIVE_INFINITY : delays.mean / 1e6 - resolutionMs;
    delays.reset();
  }, measuredEveryMs);
  timer.unref();
  delays.enable();
  app.addHook("onClose", async () => {
    clearInterval(timer);
    delays.disable();
  });
  return () => delayMs;
}
