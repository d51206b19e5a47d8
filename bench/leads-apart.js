/** As leads.js, each lead of another organization than those beside it: none can be stored together with them. */
import { measureLeads } from "./leads.js";

export const title =
  "POST /lead/submit of 32 organizations against a bare Fastify route doing the same INSERT";
export const goal = 0.35;
export const measure = (options) => measureLeads(options, 32);
