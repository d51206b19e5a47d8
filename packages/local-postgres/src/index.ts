export { InvalidBackup } from "./backup/manifest.js";
export type { Product } from "./product.js";
export { startServer, type LocalServer, type ServerOptions } from "./server.js";
