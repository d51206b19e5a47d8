import { isLong } from "../../../../testing/seed.js";
import type { HostileLimits } from "./judge.js";

/**
 * Limits for a request. The long form runs alone on the machine and checks the documented limits. The short form
 * allows for a much slower machine: it finds unbounded growth.
 */
export const hostileLimits: HostileLimits = { maxHoldMs: isLong ? 100 : 2_000, maxHeapMegabytes: 256 };

/** The number of attacks per route; the long form sends all of them. */
export const attacksOfRoute = isLong ? Number.POSITIVE_INFINITY : 12;
/** The number for each other caller, whose requests are mostly rejected at once. */
export const attacksByOthers = isLong ? 100 : 3;
/** Requests with several hostile values at once. */
export const mixedAttacks = isLong ? 300 : 6;
