import { isLong } from "../../../../testing/seed.js";
import type { HostileLimits } from "./judge.js";

/**
 * What a request may take. The long form, which has the machine for itself, holds the service to what is documented. The
 * short form leaves room for a machine many times slower: it is there to find what grows without end.
 */
export const hostileLimits: HostileLimits = { maxHoldMs: isLong ? 100 : 2_000, maxHeapMegabytes: 256 };

/** How many of a route's attacks are made; the long form makes all of them. */
export const attacksOfRoute = isLong ? Number.POSITIVE_INFINITY : 12;
/** How many by each of the others, who are mostly refused at the door. */
export const attacksByOthers = isLong ? 100 : 3;
/** Requests with several hostile values at once. */
export const mixedAttacks = isLong ? 300 : 6;
