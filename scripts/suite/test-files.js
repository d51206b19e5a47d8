import path from "node:path";
import { clusterTests, longRigs } from "./suites.js";

/**
 * Whether vitest runs this file in the project, in the short form and without a cluster.
 * @param {import("./suites.js").Project | undefined} project
 * @param {string} file
 */
export function belongsTo(project, file) {
  if (project === undefined) return false;
  const { include, exclude = [] } = project;
  const matches = (/** @type {string} */ pattern) => path.matchesGlob(file, pattern);
  return include.some(matches) && ![...exclude, ...longRigs, clusterTests].some(matches);
}
