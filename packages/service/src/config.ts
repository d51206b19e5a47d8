// The configuration with the variables of all features.
import "./features.js";

export { describeConfig, readConfig, type Config } from "./core/config.js";
