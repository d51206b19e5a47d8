import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { filesOf, type Release } from "./release.js";

/** The files of the other packages that each package contains. */
const carried = {
  service: ["contract", "json-text", "local-postgres", "record-files"],
  client: ["contract", "json-text", "record-files"],
};

/** The files that every package has. */
export function neededFiles(name: keyof typeof carried): string[] {
  const inside = carried[name].map((workspace) => `node_modules/@gatehouse-parking/${workspace}`);
  return ["LICENSE", "README.md", "package.json"].concat(
    inside.flatMap((folder) => [`${folder}/LICENSE`, `${folder}/package.json`, `${folder}/dist/index.js`]),
  );
}

/** Other files that it may contain, by folder: those that users run or compile against. */
const allowed = {
  service: [
    /^bin\/gatehouse\.js$/,
    /^(?:node_modules\/@gatehouse-parking\/(?:contract|json-text|local-postgres|record-files)\/)?dist\/[\w/-]+\.js$/,
    /^(?:src\/features\/[\w-]+\/)?migrations\/\d{4}_\w+\.sql$/,
    /^pages\/[\w-]+\.(?:js|css)$/,
    /^docs\/(?:how-to|reference|tutorials)\/[\w-]+\.md$/,
    /^docs\/reference\/log-events\.json$/,
    /^examples\/[a-z]+\/[\w-]+\.(?:java|py|sh|ts)$/,
    /^console\/(?:assets\/)?[\w.-]+\.(?:js|css|html|svg|woff2|md)(?:\.br|\.gz)?$/,
  ],
  client: [
    /^bin\/gatehouse-push\.js$/,
    /^(?:node_modules\/@gatehouse-parking\/(?:contract|json-text|record-files)\/)?dist\/[\w/-]+(?:\.js|\.d\.ts)$/,
  ],
};

export async function unexpectedFiles(release: Release, name: keyof typeof allowed): Promise<string[]> {
  const files = (await filesOf(release[name])).filter((file) => !neededFiles(name).includes(file));
  return files.filter((file) => /test/i.test(file) || !allowed[name].some((pattern) => pattern.test(file)));
}

/** The lines that SHA256SUMS should have for the other files of its folder. */
export async function checksumsOf(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name !== "SHA256SUMS").toSorted();
  return Promise.all(
    names.map(async (name) => {
      const content = await readFile(path.join(folder, name));
      return `${createHash("sha256").update(content).digest("hex")}  ${name}`;
    }),
  );
}

/** The packages of a bill of materials, as "name - version". */
export async function billedPackages(tarball: string): Promise<Set<string>> {
  const bill = JSON.parse(await readFile(tarball.replace(/\.tgz$/, ".cdx.json"), "utf8")) as {
    components: { name: string; version: string }[];
  };
  return new Set(bill.components.map(({ name, version }) => `${name} - ${version}`));
}
