// Offline checks of the dependencies: the lockfile pins each by its content, all come from the registry, none runs an
// install script, and their licences are accepted.
import { isMain, readTracked, report } from "./repository.js";

/** Licences that ask for no more than their text and the names of the authors. */
const acceptedLicences = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MPL-2.0",
  "Unlicense",
  "Zlib",
]);

/** Fonts may be bundled with any software. Only selling them alone is forbidden. */
const acceptedForFonts = new Set(["OFL-1.1"]);

/** Word lists of the spelling checker, which are not part of the product. */
const acceptedForDevelopment = new Set(["CC BY-SA 4.0", "WTFPL"]);

/** A line for each thing that is wrong with a lockfile. `allowScripts` names who may run something. */
export function checkLockfile(
  /** @type {any} */ lockfile,
  /** @type {Record<string, boolean>} */ allowScripts,
) {
  if (lockfile.lockfileVersion !== 3) return ["package-lock.json is not of version 3"];
  const installed = Object.entries(lockfile.packages).filter(
    ([place, entry]) => place.includes("node_modules/") && !entry.link,
  );
  return installed.flatMap(([place, entry]) => {
    const name = String(place.split("node_modules/").at(-1));
    return problemsOf(name, entry, allowScripts).map((problem) => `${name}@${entry.version} ${problem}`);
  });
}

function problemsOf(
  /** @type {string} */ name,
  /** @type {any} */ entry,
  /** @type {Record<string, boolean>} */ allowScripts,
) {
  const problems = [];
  if (!entry.integrity?.startsWith("sha512-")) problems.push("is not pinned by a SHA-512 of its content");
  // The lockfile leaves the registry's own address out (.npmrc), so any address is that of another place.
  if (entry.resolved !== undefined) problems.push(`comes from ${entry.resolved} instead of the registry`);
  if (entry.hasInstallScript && !allowScripts[name])
    problems.push("runs a script when it is installed, and allowScripts of package.json does not name it");
  const isFont = name.startsWith("@fontsource") && acceptedForFonts.has(entry.license);
  if (!isAccepted(entry.license) && !isFont && !(entry.dev && acceptedForDevelopment.has(entry.license)))
    problems.push(`has the licence ${entry.license ?? "(none)"}, which is not on the list`);
  return problems;
}

/** `A OR B` needs one of them, `A AND B` both. */
function isAccepted(licence = "") {
  return licence
    .replaceAll(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((part) => acceptedLicences.has(part)));
}

if (isMain(import.meta.url)) {
  const lockfile = JSON.parse(readTracked("package-lock.json").toString("utf8"));
  const { allowScripts } = JSON.parse(readTracked("package.json").toString("utf8"));
  report(
    checkLockfile(lockfile, allowScripts),
    `${Object.keys(lockfile.packages).length} packages, pinned and from the registry, with licences from the list`,
  );
}
