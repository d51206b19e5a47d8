import { appendFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { chooseBrowser } from "./choose.js";
import type { Machine } from "./sources.js";
import { usualPlaces } from "./usual-places.js";
import { versionOf } from "./version.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gatehouse-browsers-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** A script that acts as a browser or an installer. */
async function program(name: string, script: string): Promise<string> {
  const file = join(folder, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `#!/bin/sh\n${script}\n`);
  await chmod(file, 0o755);
  return file;
}
const browser = (name: string, version: string) => program(name, `echo "${version}"`);
const snapStub = "echo \"Command '$0' requires the chromium snap to be installed.\" >&2; exit 1";

/** A Linux x64 machine of an ordinary user with only the folder `bin` on PATH, and the packaged Chromium. */
function machine(facts: Partial<Machine> = {}): Machine & { announced: string[] } {
  const announced: string[] = [];
  return {
    platform: "linux",
    architecture: "x64",
    isRoot: false,
    environment: { PATH: join(folder, "bin") },
    places: [],
    packagedChromium: async () => ({ executable: await browser("packaged/chromium", "Chromium 147.0.1.2") }),
    announce: (sentence) => announced.push(sentence),
    announced,
    ...facts,
  };
}
const noPackage = { architecture: "arm64" } as const;
const leftOut = {
  leftOut:
    "The browser tests were left out: no Chrome, Chromium or Edge runs here. Install one, or set CHROMIUM_PATH to its executable.",
};

test("CHROMIUM_PATH takes precedence over installed browsers", async () => {
  await browser("bin/google-chrome", "Google Chrome 150.0.1.2");
  const named = await browser("mine", "Microsoft Edge 151.0.1.2");
  const environment = { PATH: join(folder, "bin"), CHROMIUM_PATH: named };
  const chosen = await chooseBrowser(machine({ environment }), versionOf);
  expect(chosen).toEqual({ started: "Microsoft Edge 151.0.1.2" });
});

test("a CHROMIUM_PATH that does not exist or start is an error that says what to do", async () => {
  await browser("bin/google-chrome", "Google Chrome 150.0.1.2");
  const choose = (CHROMIUM_PATH: string) =>
    chooseBrowser(machine({ environment: { PATH: join(folder, "bin"), CHROMIUM_PATH } }), versionOf);
  const missing = join(folder, "nowhere");
  await expect(choose(missing)).rejects.toThrow(
    `CHROMIUM_PATH is ${missing}, which does not exist. Name the executable of a Chrome, Chromium or Edge, or leave the variable out.`,
  );
  const other = await program("other", "echo hello");
  await expect(choose(other)).rejects.toThrow(
    `CHROMIUM_PATH is ${other}, which does not start: it answers --version with "hello". Name the executable`,
  );
});

test.each([
  ["google-chrome-stable", "Google Chrome 150.0.1.2"],
  ["google-chrome", "Google Chrome 150.0.1.2"],
  ["chromium", "Chromium 156.0.1.2 built on Debian GNU/Linux 13 (trixie)"],
  ["chromium-browser", "Chromium 156.0.1.2 Fedora Project"],
  ["microsoft-edge", "Microsoft Edge 149.0.1.2"],
])("an installed browser on PATH is used before the packaged one: %s", async (name, version) => {
  await browser(`bin/${name}`, version);
  expect(await chooseBrowser(machine(), versionOf)).toEqual({ started: version });
});

test("an installed browser in a usual place is used if none is on PATH", async () => {
  const environment = { PATH: join(folder, "bin"), HOME: folder };
  const places = usualPlaces("darwin", environment);
  await browser("Applications/Chromium.app/Contents/MacOS/Chromium", "Chromium 150.0.1.2");
  const mac = machine({ platform: "darwin", architecture: "arm64", environment, places });
  // A Mac that runs this test may have Chrome in /Applications.
  mac.places = places.filter((place) => place.startsWith(folder));
  expect(await chooseBrowser(mac, versionOf)).toEqual({ started: "Chromium 150.0.1.2" });
});

test("the usual places depend on the platform's installers", () => {
  expect(usualPlaces("darwin", {})).toContain("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome");
  expect(usualPlaces("linux", {})).toContain("/opt/google/chrome/chrome");
  const windows = usualPlaces("win32", {
    PROGRAMFILES: "C:\\Program Files",
    "PROGRAMFILES(X86)": "C:\\Program Files (x86)",
  });
  expect(windows).toContain("C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe");
  expect(windows).toContain("C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe");
});

test("an installed program that is not a browser or does not start is skipped", async () => {
  await program("bin/google-chrome", snapStub);
  await program("bin/chromium", snapStub.replace("exit 1", "exit 0"));
  await writeFile(join(folder, "bin", "chrome"), "not executable");
  await browser("bin/microsoft-edge", "Microsoft Edge 149.0.1.2");
  expect(await chooseBrowser(machine(), versionOf)).toEqual({ started: "Microsoft Edge 149.0.1.2" });
});

test("without an installed browser the packaged one is used, on Linux x64 only", async () => {
  expect(await chooseBrowser(machine(), versionOf)).toEqual({ started: "Chromium 147.0.1.2" });
  expect(await chooseBrowser(machine(noPackage), versionOf)).toEqual(leftOut);
  expect(await chooseBrowser(machine({ platform: "darwin" }), versionOf)).toEqual(leftOut);
});

/** A fake apt-get that installs a browser and records its arguments. */
const aptGet = () =>
  program(
    "bin/apt-get",
    `PATH=/usr/bin:/bin
     echo "$1" >> "${folder}/asked"
     [ "$1" = install ] || exit 0
     printf '#!/bin/sh\\necho Chromium 156.0.1.2\\n' > "${folder}/bin/chromium"
     chmod +x "${folder}/bin/chromium"`,
  );

test("for root, the distribution's package is installed last, after a message", async () => {
  await aptGet();
  const asked = join(folder, "asked");
  const root = machine({
    ...noPackage,
    isRoot: true,
    announce: (sentence) => appendFileSync(asked, `${sentence}\n`),
  });
  expect(await chooseBrowser(root, versionOf)).toEqual({ started: "Chromium 156.0.1.2" });
  expect((await readFile(asked, "utf8")).split("\n")).toEqual([
    "No Chrome, Chromium or Edge runs here: installing the package chromium with apt-get. CHROMIUM_PATH would name another browser.",
    "update",
    "install",
    "",
  ]);
});

test("the distribution's package replaces a packaged browser that does not start", async () => {
  await aptGet();
  const packagedChromium = () => Promise.reject(new Error("no space left"));
  const root = machine({ isRoot: true, packagedChromium });
  expect(await chooseBrowser(root, versionOf)).toEqual({ started: "Chromium 156.0.1.2" });
});

test("without root or apt-get nothing is installed, and the browser tests are skipped", async () => {
  expect(await chooseBrowser(machine({ ...noPackage, isRoot: true }), versionOf)).toEqual(leftOut);
  await aptGet();
  const user = machine(noPackage);
  expect(await chooseBrowser(user, versionOf)).toEqual(leftOut);
  expect(user.announced).toEqual([]);
});

test("if no browser is left, the reasons are printed once", async () => {
  const stub = await program("bin/chromium", snapStub);
  const failing = await program("bin/apt-get", "echo E: no network >&2; exit 100");
  const root = machine({ ...noPackage, isRoot: true });
  expect(await chooseBrowser(root, versionOf)).toEqual(leftOut);
  expect(root.announced).toEqual([
    expect.stringContaining("installing the package chromium"),
    `${stub} does not run: Command failed: ${stub} --version.`,
    expect.stringMatching(`^Command failed: ${failing} update`),
  ]);
});
