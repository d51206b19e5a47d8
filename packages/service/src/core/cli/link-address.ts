import type pg from "pg";
import type { Config } from "../config.js";
import { runningAddress } from "../instances.js";
import { configuredPorts, serviceAddress } from "../server/service-address.js";

/** The address for links: that of the running service, whose ports may have been set only for it, or the configured one. */
export async function linkAddress(pool: pg.Pool, config: Config): Promise<string> {
  const running = config.publicUrl === undefined ? await runningAddress(pool) : undefined;
  return running ?? serviceAddress(config, configuredPorts(config));
}
