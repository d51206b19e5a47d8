import {
  startServer,
  type LocalServer,
  type Product,
  type ServerOptions,
} from "@gatehouse-parking/local-postgres";
import { embeddedSettings } from "./embedded-settings.js";

/** What the messages of the embedded server call us and our settings. */
export const gatehouse: Product = {
  name: "Gatehouse",
  identifier: "gatehouse",
  folderVariable: "GATEHOUSE_DATA_DIR",
  serverVariable: "DATABASE_URL",
  createCommand: "gatehouse migrate",
};

export type EmbeddedOptions = Omit<ServerOptions, "product">;

/** Starts the PostgreSQL server under the data folder, or joins the one that another process has started there. */
export function startEmbeddedServer(options: EmbeddedOptions): Promise<LocalServer> {
  return startServer({
    ...options,
    product: gatehouse,
    settings: { ...embeddedSettings, ...options.settings },
  });
}
