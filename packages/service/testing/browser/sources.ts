import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { installChromium } from "./distribution-package.js";
import { packagedChromium } from "./packaged-chromium.js";
import { usualNames, usualPlaces } from "./usual-places.js";

/** A browser that exists, but may not start. */
export interface Candidate {
  executable: string;
  /** Settings beyond the environment of the tests. */
  environment?: Record<string, string>;
}

/** The facts that decide which browsers are available. */
export interface Machine {
  platform: NodeJS.Platform;
  architecture: NodeJS.Architecture;
  isRoot: boolean;
  environment: NodeJS.ProcessEnv;
  /** Places of browsers that are not on PATH. */
  places: string[];
  packagedChromium(): Promise<Candidate>;
  announce(sentence: string): void;
}

export function thisMachine(): Machine {
  const { platform, env } = process;
  return {
    platform,
    architecture: process.arch,
    isRoot: process.getuid?.() === 0,
    environment: env,
    places: usualPlaces(platform, env),
    packagedChromium,
    announce: (sentence) => console.log(sentence),
  };
}

type Source = (machine: Machine) => Promise<Candidate[]>;

/** Cheapest first. */
export const sources: readonly Source[] = [installed, packaged, fromDistribution];

async function installed(machine: Machine): Promise<Candidate[]> {
  const onPath = await Promise.all(usualNames(machine.platform).map((name) => findOnPath(machine, name)));
  return [...onPath.flat(), ...(await executables(machine.places))];
}

async function packaged(machine: Machine): Promise<Candidate[]> {
  if (machine.platform !== "linux" || machine.architecture !== "x64") return [];
  return [await machine.packagedChromium()];
}

async function fromDistribution(machine: Machine): Promise<Candidate[]> {
  if (machine.platform !== "linux" || !machine.isRoot) return [];
  const [aptGet] = await findOnPath(machine, "apt-get");
  if (!aptGet) return [];
  machine.announce(
    "No Chrome, Chromium or Edge runs here: installing the package chromium with apt-get. CHROMIUM_PATH would name another browser.",
  );
  await installChromium(aptGet.executable, machine.environment);
  return findOnPath(machine, "chromium");
}

function findOnPath(machine: Machine, name: string): Promise<Candidate[]> {
  const folders = (machine.environment["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return executables(folders.map((folder) => join(folder, name)));
}

async function executables(files: string[]): Promise<Candidate[]> {
  const allowed = await Promise.allSettled(files.map((file) => access(file, constants.X_OK)));
  return files
    .filter((_, index) => allowed[index]?.status === "fulfilled")
    .map((executable) => ({ executable }));
}
