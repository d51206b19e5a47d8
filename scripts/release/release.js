// npm run release: creates the packages, a bill of materials for each, and checksums. The changelog names the
// version. The same checkout with the same Node and npm gives the same bytes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "../build.js";
import { root } from "../security/repository.js";
import { billOfMaterials } from "./bill-of-materials.js";
import { newestRelease } from "./changelog.js";
import { npm } from "./npm.js";
import { publishedPackages } from "./packages.js";
import { stage } from "./stage.js";
import { filesThatDiffer, readVersionedFiles } from "./version.js";

const usualFolder = path.join(root, "dist/release");

const { values: options } = parseArgs({
  options: {
    /** Packs an unreleased checkout, for trials and tests. */
    snapshot: { type: "boolean", default: false },
    /** An empty or new folder. */
    to: { type: "string" },
  },
});

const { version, day } = newestRelease(readFileSync(path.join(root, "CHANGELOG.md"), "utf8"));
const problems = options.snapshot ? versionProblems() : [...versionProblems(), ...releaseProblems()];
const folder = options.to ? path.resolve(options.to) : usualFolder;
if (options.to && existsSync(folder) && readdirSync(folder).length > 0)
  problems.push(`${folder} is not empty, and nothing in it is written over`);
if (problems.length > 0) {
  for (const problem of problems) console.error(problem);
  process.exit(1);
}

await build();
if (folder === usualFolder) rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(path.join(tmpdir(), "gatehouse-release-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));

for (const published of publishedPackages) {
  const staged = path.join(scratch, published.folder);
  stage(published, staged);
  // A list, or with npm 12 an object by package name.
  const [{ filename }] = Object.values(
    JSON.parse(npm(["pack", "--json", "--pack-destination", folder], staged)),
  );
  const bill = billOfMaterials(published, path.join(scratch, "bill", published.folder));
  writeFileSync(path.join(folder, filename.replace(/\.tgz$/, ".cdx.json")), bill);
}
const sums = readdirSync(folder)
  .toSorted()
  .map((name) => `${sha256(path.join(folder, name))}  ${name}\n`);
writeFileSync(path.join(folder, "SHA256SUMS"), sums.join(""));
console.log(`Gatehouse ${version}${day ? "" : " (unreleased)"} is in ${folder}:\n${sums.join("")}`);

function versionProblems() {
  return filesThatDiffer(readVersionedFiles(), version).map(
    (name) => `${name} does not say ${version} as CHANGELOG.md does. Run: node scripts/release/version.js`,
  );
}

/** A release must be reproducible: it has a date, and everything is committed. */
function releaseProblems() {
  const { status, stdout } = spawnSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  return [
    ...(day
      ? []
      : [`CHANGELOG.md says that ${version} is unreleased. Write its day there, or try it with --snapshot`]),
    ...(status === 0 && stdout === ""
      ? []
      : ["There are changes that are not committed. Commit them, or use --snapshot"]),
  ];
}

function sha256(/** @type {string} */ file) {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
