import fc from "fast-check";
import { newSeed } from "./seed.js";

// A failing property prints the seed and the smallest case; see seed.ts for how to repeat it.
fc.configureGlobal({ seed: newSeed() });

/** The property testing library, with the seed of this run. A lint rule forbids importing it directly. */
export default fc;
