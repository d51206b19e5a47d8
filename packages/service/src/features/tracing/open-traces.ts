import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../../core/config.js";
import type { Traces } from "./traces.js";
import { traceSettings } from "./trace-settings.js";

/** The part of the whole shutdown that delivering the last traces may take, never longer than two seconds. */
const flushPart = 1 / 8;
const maxFlushMs = 2_000;

/** Undefined if none are wanted: then nothing of what records and sends them is loaded. */
export async function openTraces(
  config: Config,
  version: string,
  log: FastifyBaseLogger,
): Promise<Traces | undefined> {
  const settings = traceSettings(config);
  if (!settings) return undefined;
  const { createTraces } = await import("./traces.js");
  const flushMs = Math.min(maxFlushMs, config.shutdownSeconds * 1_000 * flushPart);
  return createTraces(settings, { version, flushMs, log });
}
