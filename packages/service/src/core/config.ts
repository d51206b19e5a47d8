/**
 * The service's configuration. Only the code in config/ reads the environment;
 * other code gets a Config.
 */
export { readConfig } from "./config/read-config.js";
export type { Config } from "./config/settings.js";
export { describeConfig } from "./config/variables.js";
