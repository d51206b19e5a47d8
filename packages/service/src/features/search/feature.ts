import type { Feature } from "../../core/feature.js";
import { findRemovedBy } from "../../core/records/removed-records.js";

/** Finds records, leads, locations, imports and keys by any identifier. */
export const search: Feature = {
  name: "search",
  async register({ database, features }) {
    const { searchHandlers } = await import("./console.js");
    const findRemoved = findRemovedBy(features);
    return { consoleOperations: (api) => searchHandlers(api, { pool: database.console, findRemoved }) };
  },
};
