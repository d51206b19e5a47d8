import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { missingPrograms, nativePackagesFor } from "./native-packages.js";

/** @type {string} */
let root;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "gatehouse-platforms-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const program = (
  /** @type {string} */ os,
  /** @type {string} */ cpu,
  /** @type {{ libc?: string[] }} */ libc = {},
) => ({
  version: "1.0.0",
  optional: true,
  os: [os],
  cpu: [cpu],
  ...libc,
});
const lockfile = {
  packages: {
    "node_modules/bundler": {
      version: "1.0.0",
      optionalDependencies: { "bundler-x64": "1", "bundler-arm64": "1", "bundler-musl": "1" },
    },
    "node_modules/bundler-x64": program("linux", "x64", { libc: ["glibc"] }),
    "node_modules/bundler-musl": program("linux", "arm64", { libc: ["musl"] }),
    "node_modules/bundler/node_modules/bundler-arm64": program("linux", "arm64"),
    "node_modules/watcher": { version: "2.0.0", optionalDependencies: { fsevents: "1" } },
    "node_modules/fsevents": { version: "1.0.0", os: ["darwin"] },
  },
};

function install(/** @type {string} */ place, /** @type {number} */ machine) {
  const header = Buffer.alloc(64);
  header.write("\x7fELF", "latin1");
  header.writeUInt16LE(machine, 18);
  mkdirSync(path.join(root, place, "bin"), { recursive: true });
  writeFileSync(path.join(root, place, "bin/program"), header);
  writeFileSync(path.join(root, place, "README.md"), "a program");
}

test("each processor needs its own program and none for other systems", () => {
  expect(nativePackagesFor(lockfile, "x64")).toEqual({ places: ["node_modules/bundler-x64"], problems: [] });
  expect(nativePackagesFor(lockfile, "arm64")).toEqual({
    places: ["node_modules/bundler/node_modules/bundler-arm64"],
    problems: [],
  });
});

test("a package without a program for a processor in the lockfile is a problem", () => {
  const { "node_modules/bundler/node_modules/bundler-arm64": _gone, ...packages } = lockfile.packages;
  expect(nativePackagesFor({ packages }, "arm64").problems).toEqual([
    "bundler@1.0.0 has no program for linux arm64 in the lockfile",
  ]);
});

test("an installation must have each program, built for its processor", () => {
  const places = ["node_modules/bundler-x64"];
  expect(missingPrograms(root, places, "x64")).toEqual([
    "node_modules/bundler-x64 is not installed for linux x64",
  ]);
  install("node_modules/bundler-x64", 0xb7);
  expect(missingPrograms(root, places, "x64")).toEqual([
    "node_modules/bundler-x64 holds a program for arm64, not for x64",
  ]);
  install("node_modules/bundler-x64", 0x3e);
  expect(missingPrograms(root, places, "x64")).toEqual([]);
  writeFileSync(path.join(root, places[0] ?? "", "bin/program"), "#!/bin/sh");
  expect(missingPrograms(root, places, "x64")).toEqual(["node_modules/bundler-x64 holds no program"]);
});
