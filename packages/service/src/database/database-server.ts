import type { Config } from "../config.js";
import { startEmbeddedServer } from "./embedded/server.js";

/** The server that holds the data: the operator's by DATABASE_URL, or our own in the data folder. */
export interface DatabaseServer {
  connectionString: string;
  isEmbedded: boolean;
  /** Whether the embedded one has failed too often to be started again. */
  isGivenUp(): boolean;
  /** Ends our use of it. The embedded one is shut down unless another process uses it too. */
  stop(): Promise<void>;
}

export async function useDatabaseServer(
  config: Pick<Config, "databaseUrl" | "dataDirectory">,
  log?: (message: string) => void,
): Promise<DatabaseServer> {
  if (config.databaseUrl !== undefined)
    return {
      connectionString: config.databaseUrl,
      isEmbedded: false,
      isGivenUp: () => false,
      stop: async () => {},
    };
  const server = await startEmbeddedServer({
    dataDirectory: config.dataDirectory,
    ...(log ? { log } : {}),
  });
  return { ...server, isEmbedded: true };
}
