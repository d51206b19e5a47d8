/** As locations.js, each list of another organization than those beside it: none can share another's statement. */
import { measureLocations } from "./locations.js";

export const title =
  "GET /integrations/locations of 32 organizations against a bare Fastify route running the same SELECT";
export const goal = 0.35;
export const measure = (options) => measureLocations(options, 32);
