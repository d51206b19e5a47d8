// Holds imports to the table of layers.js.
import { layers, mustNotKnow, packages, serviceParts } from "./layers.js";

const serviceSources = "packages/service/src/";

/**
 * @param {import("./imports.js").Import[]} imports
 * @returns {string[]} a sentence for each import that the table does not allow
 */
export function violations(imports) {
  const judges = { file: withinPackages, package: betweenPackages, module: hidden };
  return imports.flatMap(({ from, to, kind, line }) => {
    const problem = judges[kind](from, to);
    return problem === undefined ? [] : [`${from}:${line} ${problem}`];
  });
}

/**
 * @param {import("./imports.js").Import[]} imports
 * @returns {string[]} what the table allows and nobody needs, which the picture would show all the same
 */
export function unusedArrows(imports) {
  const used = new Set(imports.map(arrow));
  const arrows = [
    ...serviceParts.flatMap(({ name, uses }) => uses.map((other) => `${name} -> ${other}`)),
    ...Object.entries(packages).flatMap(([name, uses]) => uses.map((other) => `${name} -> ${other}`)),
  ];
  return arrows.filter((name) => !used.has(name));
}

/** @returns {string[]} arrows that lead to a part further down in the table, or to a higher layer */
export function wrongOrder() {
  const heights = layers.map(({ name }) => name);
  return serviceParts.flatMap(({ name, layer, uses }, index) => {
    const allowed = serviceParts
      .slice(0, index)
      .filter((other) => heights.indexOf(other.layer) <= heights.indexOf(layer));
    return uses
      .filter((other) => !allowed.some((part) => part.name === other))
      .map((other) => `${name} -> ${other}`);
  });
}

function arrow(/** @type {{ from: string, to: string, kind: string }} */ { from, to, kind }) {
  return kind === "file" ? `${partOf(from)?.name} -> ${partOf(to)?.name}` : `${packageOf(from)} -> ${to}`;
}

function packageOf(/** @type {string} */ file) {
  return file.split("/")[1] ?? "";
}

function partOf(/** @type {string} */ file) {
  if (!file.startsWith(serviceSources)) return undefined;
  const rest = file.slice(serviceSources.length);
  const first = rest.split("/")[0] ?? "";
  return serviceParts.find(({ name, files = [name] }) => files.includes(first));
}

/** Whether it is a module or a file that the importing one must not know. */
function hidden(/** @type {string} */ from, /** @type {string} */ to) {
  const name = to.startsWith(serviceSources) ? to.slice(serviceSources.length) : to;
  const rule = mustNotKnow.find(
    ({ files, targets }) =>
      files.some((file) => from.startsWith(serviceSources + file)) && targets.includes(name),
  );
  return rule && `imports ${to}: ${rule.because}`;
}

function betweenPackages(/** @type {string} */ from, /** @type {string} */ to) {
  const allowed = packages[packageOf(from)] ?? [];
  return allowed.includes(to) ? undefined : `uses the package ${to}, which ${packageOf(from)} may not`;
}

function withinPackages(/** @type {string} */ from, /** @type {string} */ to) {
  if (packageOf(from) !== packageOf(to)) return `reaches into ${to} instead of importing its package`;
  if (!from.startsWith(serviceSources)) return undefined;
  const part = partOf(from);
  const other = partOf(to);
  if (!part) return "belongs to no part of scripts/layers/layers.js";
  if (!other) return `imports ${to}, which belongs to no part of scripts/layers/layers.js`;
  if (part === other || part.uses.includes(other.name)) return hidden(from, to);
  return `imports ${to}: ${part.name} may not use ${other.name}`;
}
