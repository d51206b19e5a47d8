/**
 * The service's configuration, for everybody who needs a part of it. Only what lies in config/ reads the environment;
 * everything else is handed a Config.
 */
export { readConfig } from "./config/read-config.js";
export type { Config } from "./config/settings.js";
export { describeConfig } from "./config/variables.js";
