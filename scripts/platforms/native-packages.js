// Finds packages with native programs in the lockfile, and checks whether an installation has the required
// ones.
import { closeSync, existsSync, openSync, readdirSync, readSync } from "node:fs";
import path from "node:path";

/** Machine types in the header of an ELF file. */
const elfMachines = new Map([
  [0x3e, "x64"],
  [0xb7, "arm64"],
]);
const elfHeaderBytes = 20;

/** Packages that fall back to JavaScript without a native program. */
const worksWithoutProgram = new Set(["recheck"]);

/**
 * Finds the native packages that an installation for Linux on this processor needs, and those missing from
 * the lockfile.
 */
export function nativePackagesFor(/** @type {any} */ lockfile, /** @type {string} */ cpu) {
  const problems = [];
  const places = [];
  for (const [parent, entry] of Object.entries(lockfile.packages)) {
    const programs = Object.keys(entry.optionalDependencies ?? {})
      .map((name) => resolve(lockfile, parent, name))
      .flatMap((place) => (place === undefined ? [] : [place]))
      .filter((place) => isForOnePlatform(lockfile.packages[place]));
    // A parent whose programs are all for other systems, such as macOS file watchers, needs none here.
    if (!programs.some((place) => isForLinux(lockfile.packages[place]))) continue;
    const fitting = programs.filter((place) => fits(lockfile.packages[place], cpu));
    const name = String(parent.split("node_modules/").at(-1));
    if (fitting.length === 0 && !worksWithoutProgram.has(name))
      problems.push(`${name}@${entry.version} has no program for linux ${cpu} in the lockfile`);
    places.push(...fitting);
  }
  return { places: places.toSorted(), problems };
}

/** Checks that each installed package contains programs for this processor only. */
export function missingPrograms(
  /** @type {string} */ root,
  /** @type {string[]} */ places,
  /** @type {string} */ cpu,
) {
  return places.flatMap((/** @type {string} */ place) => {
    const folder = path.join(root, place);
    if (!existsSync(folder)) return [`${place} is not installed for linux ${cpu}`];
    const machines = new Set(filesBelow(folder).map(elfMachine).filter(Boolean));
    if (machines.size === 0) return [`${place} holds no program`];
    return [...machines]
      .filter((machine) => machine !== cpu)
      .map((machine) => `${place} holds a program for ${machine}, not for ${cpu}`);
  });
}

/** Resolves a package like Node: in the requiring folder, then in its parents. */
function resolve(/** @type {any} */ lockfile, /** @type {any} */ parent, /** @type {string} */ name) {
  for (let folder = parent; ; folder = folder.slice(0, folder.lastIndexOf("node_modules/"))) {
    const place = path.posix.join(folder, "node_modules", name);
    if (lockfile.packages[place]) return place;
    if (!folder.includes("node_modules/"))
      return lockfile.packages[`node_modules/${name}`] ? `node_modules/${name}` : undefined;
  }
}

function isForOnePlatform(/** @type {{ os: any, cpu: string }} */ { os, cpu }) {
  return os !== undefined || cpu !== undefined;
}

function isForLinux(/** @type {{ os: any }} */ { os }) {
  return os?.includes("linux") ?? false;
}

function fits(
  /** @type {{ os: any, cpu: string, libc: any }} */ { os, cpu, libc },
  /** @type {any} */ wanted,
) {
  return (
    (os?.includes("linux") ?? true) && (cpu?.includes(wanted) ?? true) && (libc?.includes("glibc") ?? true)
  );
}

function filesBelow(/** @type {string} */ folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

function elfMachine(/** @type {string} */ file) {
  const header = Buffer.alloc(elfHeaderBytes);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, header, 0, elfHeaderBytes, 0);
  } finally {
    closeSync(descriptor);
  }
  if (header.toString("latin1", 0, 4) !== "\x7fELF") return undefined;
  const machine = header.readUInt16LE(18);
  return elfMachines.get(machine) ?? `machine ${machine}`;
}
