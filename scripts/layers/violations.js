// Checks imports against the table of layers.js.
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./imports.js";
import { coreParts, forbidden, packages, typesOnly } from "./layers.js";

const serviceSources = "packages/service/src/";
const consoleSources = "packages/console/src/";

/**
 * @param {import("./imports.js").Import[]} imports
 * @returns {string[]} a sentence for each import that is not allowed
 */
export function violations(imports) {
  return imports.flatMap((one) => {
    const problem = problemOf(one);
    return problem === undefined ? [] : [`${one.from}:${one.line} ${problem}`];
  });
}

/** @returns {string | undefined} */
function problemOf(/** @type {import("./imports.js").Import} */ { from, to, kind, isType }) {
  if (kind === "package")
    return packages[packageOf(from)]?.includes(to)
      ? undefined
      : `uses the package ${to}, which ${packageOf(from)} may not`;
  if (kind === "module") return forbiddenTarget(from, to);
  if (packageOf(from) !== packageOf(to)) return `reaches into ${to} instead of importing its package`;
  if (from.startsWith(consoleSources)) return withinConsole(from, to);
  if (!from.startsWith(serviceSources)) return undefined;
  return betweenRings(from, to, isType) ?? forbiddenTarget(from, to);
}

/**
 * The core imports no feature. A feature imports the core and the features that it requires. The files above
 * both may import everything.
 */
function betweenRings(/** @type {string} */ from, /** @type {string} */ to, /** @type {boolean} */ isType) {
  const [ring, part = ""] = placeOf(from);
  const [otherRing, otherPart = ""] = placeOf(to);
  if (ring === "core") {
    if (otherRing !== "core") return `imports ${to}: the core imports nothing from outside of it`;
    if (placeOf(from).join("/") === typesOnly)
      return isType ? undefined : `imports more than the type of ${to}`;
    const [at, otherAt] = [coreParts.indexOf(part), coreParts.indexOf(otherPart)];
    if (at === -1) return "belongs to no part of scripts/layers/layers.js";
    return otherAt === -1 || otherAt > at ? `imports ${to}: ${part} may not use ${otherPart}` : undefined;
  }
  if (ring === "features") {
    if (otherRing === "core" || (otherRing === "features" && part === otherPart)) return undefined;
    if (otherRing !== "features") return `imports ${to}: a feature imports only the core`;
    return requiredBy(part).includes(otherPart)
      ? undefined
      : `imports ${to}: the feature ${part} does not require ${otherPart}`;
  }
  return undefined;
}

/** The names in `requires` of the feature. */
function requiredBy(/** @type {string} */ feature) {
  const text = readFileSync(path.join(root, serviceSources, "features", feature, "feature.ts"), "utf8");
  const [, list = ""] = text.split("requires: [");
  const [names = ""] = list.split("]");
  return names.split(/[",\s]+/).filter((name) => name !== "");
}

function forbiddenTarget(/** @type {string} */ from, /** @type {string} */ to) {
  const name = to.startsWith(serviceSources) ? to.slice(serviceSources.length) : to;
  const rule = forbidden.find(
    ({ files, targets }) =>
      files.some((file) => from.startsWith(serviceSources + file)) && targets.includes(name),
  );
  return rule && `imports ${to}: ${rule.because}`;
}

function placeOf(/** @type {string} */ file) {
  return file.slice(serviceSources.length).split("/").slice(0, 2);
}

/**
 * The console's features can be removed: only features.ts imports one, and only the composition of the app imports
 * features.ts. A feature uses itself and the core.
 */
function withinConsole(/** @type {string} */ from, /** @type {string} */ to) {
  const importer = from.slice(consoleSources.length);
  const [folder = "", feature = "", file = ""] = to.slice(consoleSources.length).split("/");
  if (folder === "features.ts" && importer !== "signed-in-app.tsx")
    return `imports ${to}: only signed-in-app.tsx may`;
  if (folder !== "features" || importer.startsWith(`features/${feature}/`)) return undefined;
  if (importer === "features.ts" && file.startsWith("feature.ts")) return undefined;
  return `imports ${to}: only features.ts may import a feature`;
}

function packageOf(/** @type {string} */ file) {
  return file.split("/")[1] ?? "";
}
