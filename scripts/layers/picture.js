// The pictures and the table of docs/architecture.md, drawn from layers.js.
import { layers, packages, serviceParts } from "./layers.js";

export function packagePicture() {
  const arrows = Object.entries(packages).flatMap(([name, uses]) =>
    uses.map((other) => `  ${name} --> ${other}`),
  );
  return mermaid(["flowchart TB", ...Object.keys(packages).map((name) => `  ${name}`), ...arrows]);
}

/** Layers with their parts. An arrow stands for every way that check.js allows between two layers. */
export function layerPicture() {
  const boxes = layers
    .toReversed()
    .map(({ name }) => `  ${name}["${[`<b>${name}</b>`, ...partsOf(name)].join("<br/>")}"]`);
  const arrows = layers
    .toReversed()
    .flatMap(({ name }) => layersBelow(name).map((other) => `  ${name} --> ${other}`));
  return mermaid(["flowchart TB", ...boxes, ...arrows]);
}

export function partTable() {
  const rows = layers.toReversed().flatMap(({ name, says }) =>
    serviceParts
      .filter(({ layer }) => layer === name)
      .toReversed()
      .map(
        ({ name: part, uses }, index) =>
          `| ${index === 0 ? `**${name}**: ${says}` : ""} | ${part} | ${uses.join(", ")} |`,
      ),
  );
  return ["| Layer | Part | May use |", "| --- | --- | --- |", ...rows].join("\n");
}

/** The page with each block between `<!-- name -->` and `<!-- /name -->` drawn anew. */
export function drawInto(/** @type {string} */ page) {
  const blocks = { packages: packagePicture(), layers: layerPicture(), parts: partTable() };
  return Object.entries(blocks).reduce((text, [name, block]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [before] = text.split(open);
    const [, after] = text.split(close);
    return `${before}${open}\n\n${block}\n\n${close}${after}`;
  }, page);
}

function partsOf(/** @type {string} */ layer) {
  return serviceParts.filter((part) => part.layer === layer).map(({ name }) => name);
}

function layersBelow(/** @type {string} */ layer) {
  const used = serviceParts.filter((part) => part.layer === layer).flatMap(({ uses }) => uses);
  const targets = new Set(serviceParts.filter(({ name }) => used.includes(name)).map((part) => part.layer));
  return layers.map(({ name }) => name).filter((name) => name !== layer && targets.has(name));
}

function mermaid(/** @type {string[]} */ lines) {
  return ["```mermaid", ...lines, "```"].join("\n");
}
