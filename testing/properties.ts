import fc from "fast-check";
import { newSeed } from "./seed.js";

// A property that fails prints the seed and the smallest case; see seed.ts for how to repeat it.
fc.configureGlobal({ seed: newSeed() });

/** The library for properties, with the seed of this run. Nothing else imports it, and a rule of the linter holds that. */
export default fc;
