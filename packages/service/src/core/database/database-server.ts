import type { Config } from "../config.js";
import { startEmbeddedServer, type EmbeddedOptions } from "./embedded-server.js";

/** The server that holds the data: the operator's by DATABASE_URL, or our own in the data folder. */
export interface DatabaseServer {
  connectionString: string;
  isEmbedded: boolean;
  /** How many attempts in a row to bring the embedded one back have failed; 0 while it runs. */
  failedRestarts(): number;
  /** Ends our use of it. The embedded one is shut down unless another process uses it too. */
  stop(): Promise<void>;
}

export async function useDatabaseServer(
  config: Pick<Config, "databaseUrl" | "dataDirectory">,
  options: Pick<EmbeddedOptions, "mayCreate" | "log" | "warn"> = {},
): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined)
    return {
      connectionString: config.databaseUrl,
      isEmbedded: false,
      failedRestarts: () => 0,
      stop: async () => {},
    };
  const server = await startEmbeddedServer({ dataDirectory: config.dataDirectory, ...options });
  return { ...server, isEmbedded: true };
}
