import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { RequestRefused } from "./errors.js";

/**
 * Refuses requests while the event loop is late again and again. The measurement speaks of the second before, and
 * takes one long pause (a start on a busy machine, a suspended laptop) for an endless one: by the time it shows, the
 * pause is over and there is nothing to shed. So pressure has to last.
 */
const lastingMs = 1_500;
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
    const shed = shedLastingPressure();
    await app.register(underPressure, {
      maxEventLoopDelay: maxEventLoopDelayMs,
      pressureHandler: (request) => (request.routeOptions.config.quiet ? undefined : shed()),
    });
  },
);
