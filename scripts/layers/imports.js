// Reads the imports of the packages' source files.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "vite";

export const root = fileURLToPath(new URL("../..", import.meta.url));
const scope = "@gatehouse-parking/";

/**
 * `from` and the `to` of a file are paths from the root; a package of ours and a module are called by their names.
 * @typedef {{ from: string, to: string, kind: "file" | "package" | "module", line: number, isType: boolean }} Import
 */

/** Published sources. Tests and their helpers may import anything. */
export function sourceFiles() {
  return readdirSync(path.join(root, "packages"))
    .flatMap((name) => filesBelow(`packages/${name}/src`))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.endsWith(".d.ts"));
}

function filesBelow(/** @type {string} */ folder) {
  const entries = readdirSync(path.join(root, folder), {
    encoding: "utf8",
    recursive: true,
  });
  return entries.map((entry) => `${folder}/${entry.split(path.sep).join("/")}`).toSorted();
}

/** @returns {Import[]} */
export function importsOf(/** @type {string} */ file, text = readFileSync(path.join(root, file), "utf8")) {
  const { module } = parseSync(file, text);
  const requests = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      ...moduleRequest,
      isType: entries.length > 0 && entries.every((entry) => entry.isType),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest ? { ...moduleRequest, isType } : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      value: text.slice(start + 1, end - 1),
      start,
      isType: false,
    })),
  ];
  return requests.map(({ value, start, isType }) => ({
    from: file,
    ...targetOf(file, value),
    isType,
    line: text.slice(0, start).split("\n").length,
  }));
}

/** @returns {Pick<Import, "to" | "kind">} */
function targetOf(/** @type {string} */ file, /** @type {string} */ request) {
  if (request.startsWith(".")) {
    const target = path.posix.join(path.posix.dirname(file), request);
    return { to: target.replace(/\.js$/, ".ts"), kind: "file" };
  }
  if (!request.startsWith(scope)) return { to: request, kind: "module" };
  return { to: String(request.slice(scope.length).split("/")[0]), kind: "package" };
}
