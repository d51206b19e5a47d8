import { monitorEventLoopDelay } from "node:perf_hooks";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { RequestRefused } from "../refusals/request-refused.js";

/**
 * Refuses requests while the event loop is late again and again. The measurement speaks of the second before, and
 * takes one long pause (a start on a busy machine, a suspended laptop) for an endless one: by the time it shows, the
 * pause is over and there is nothing to shed. So pressure has to last.
 */
const lastingMs = 1_500;
const measuredEveryMs = 1_000;
const resolutionMs = 10;
/** Pressure that was not seen for this long has ended; the measurement is renewed every second. */
const endedAfterMs = 1_500;

export function shedLastingPressure(now: () => number = () => performance.now()) {
  let beganAtMs = Number.NEGATIVE_INFINITY;
  let seenAtMs = Number.NEGATIVE_INFINITY;
  /** Called for every request that arrives under pressure. */
  return (): Promise<never> | undefined => {
    const at = now();
    if (at - seenAtMs > endedAfterMs) beganAtMs = at;
    seenAtMs = at;
    return at - beganAtMs < lastingMs ? undefined : Promise.reject(new RequestRefused("overloaded"));
  };
}

/**
 * Probes, metrics and static files answer all the same: a probe that failed because there is much to do would have the
 * instance killed in the middle of it.
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
 * How late the event loop was on average within the last second. Nothing else is looked at: the memory of the process
 * stands in a file, and reading it would throw, in a timer, where no file can be opened any more.
 */
function measureEventLoopDelay(app: FastifyInstance): () => number {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  let delayMs = 0;
  const timer = setInterval(() => {
    // Without a single measurement there is no mean: the loop stood still.
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
