import { expect, test } from "vitest";
import { readAudit } from "./audit.js";
import { checkLockfile } from "./lockfile.js";

const good = { version: "1.0.0", integrity: "sha512-abc", license: "MIT" };
const check = (/** @type {any} */ entry, name = "thing") =>
  checkLockfile(
    { lockfileVersion: 3, packages: { [`node_modules/${name}`]: { ...good, ...entry } } },
    { maker: true },
  );

test("a pinned package of the registry with an accepted licence is right", () => {
  expect(check({})).toEqual([]);
  expect(check({ license: "(MIT OR GPL-3.0)" })).toEqual([]);
  expect(check({ license: "(MIT AND Zlib)" })).toEqual([]);
  expect(check({ hasInstallScript: true }, "maker")).toEqual([]);
  expect(check({ license: "OFL-1.1" }, "@fontsource-variable/inter")).toEqual([]);
});

test.each([
  ["no digest", { integrity: undefined }, "is not pinned"],
  ["a weak digest", { integrity: "sha1-abc" }, "is not pinned"],
  ["a git address", { resolved: "git+ssh://git@example.com/thing.git#abc" }, "instead of the registry"],
  ["another registry", { resolved: "http://example.com/thing.tgz" }, "instead of the registry"],
  ["a script that is not allowed", { hasInstallScript: true }, "runs a script"],
  ["no licence", { license: undefined }, "(none)"],
  ["a licence with strings attached", { license: "AGPL-3.0" }, "AGPL-3.0"],
  ["the licence of a font", { license: "OFL-1.1" }, "OFL-1.1"],
  ["half a licence", { license: "MIT AND AGPL-3.0" }, "AGPL-3.0"],
])("a package with %s is refused", (_what, entry, problem) => {
  expect(check(entry)).toEqual([expect.stringContaining(problem)]);
});

test("a program for one platform is pinned like everything else, whatever the platform", () => {
  const platform = { integrity: undefined, optional: true, dev: true };
  for (const cpu of ["x64", "arm64"])
    expect(check({ ...platform, os: ["linux"], cpu: [cpu], libc: ["glibc"] })).toEqual([
      expect.stringContaining("is not pinned"),
    ]);
  expect(check({ ...platform, os: ["android"] })).toEqual([expect.stringContaining("is not pinned")]);
});

test("an audit that ran names what is high or critical; one that could not run is no failure", () => {
  const vulnerabilities = {
    a: { name: "a", severity: "critical", range: "<2" },
    b: { name: "b", severity: "moderate", range: "<3" },
  };
  expect(readAudit(JSON.stringify({ auditReportVersion: 2, vulnerabilities }))).toEqual({
    urgent: ["a <2 has a hole that is critical"],
  });
  expect(readAudit(JSON.stringify({ message: "405 Method Not Allowed", error: {} }))).toEqual({
    reason: "405 Method Not Allowed",
  });
  expect(readAudit(JSON.stringify({ error: { summary: "offline" } }))).toEqual({
    reason: "offline",
  });
  expect(readAudit("")).toEqual({ reason: "npm gave no answer" });
});
