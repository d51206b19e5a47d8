import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { transformSync } from "rolldown/utils";
import { sayLeftOut } from "../../../testing/left-out.js";
import { buildCommand, repository } from "./built-command.js";

/** A language of example programs, and how to run it. */
export interface Language {
  name: string;
  /** Exits with 0 if programs of this language can run here. */
  probe: [program: string, ...programArguments: string[]];
  needed: string;
  /** The file name for a program's text, and the command that runs it. */
  fileName: string;
  program: string;
  /** Converts the text into runnable form. */
  prepare?: (text: string) => string;
  /** Compiles several programs at once into the folder. */
  compile?: (texts: readonly string[], folder: string) => Promise<void>;
  /** The arguments that run a compiled program. */
  compiled?: (text: string, folder: string) => string[];
  /** Makes a program trust a private certificate authority, as the guide describes. */
  trust: (caFile: string, folder: string) => Promise<Record<string, string>>;
  environment?: Record<string, string>;
}

const timeoutMs = 170_000;

export interface Ended {
  exitCode: number;
  out: string;
  error: string;
}

/** Short-lived programs do not need Java's full optimization. */
const briefly = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto";

export const languages = {
  shell: {
    name: "curl",
    probe: ["bash", "-c", "curl --version && jq --version"],
    needed: "bash with curl and jq",
    fileName: "program.sh",
    program: "bash",
    trust: async (caFile) => ({ CURL_CA_BUNDLE: caFile }),
  },
  python: {
    name: "Python",
    probe: ["python3", "-c", "import sys; sys.exit(0 if sys.version_info >= (3, 8) else 3)"],
    needed: "python3 of 3.8 or later",
    fileName: "program.py",
    program: "python3",
    trust: async (caFile) => ({ SSL_CERT_FILE: caFile }),
  },
  typescript: {
    name: "TypeScript",
    probe: [process.execPath, "--version"],
    needed: "node",
    fileName: "program.mjs",
    program: process.execPath,
    prepare: (text) => transformSync("program.ts", text, { target: "es2023", tsconfig: false }).code,
    trust: async (caFile) => ({ NODE_EXTRA_CA_CERTS: caFile }),
  },
  java: {
    name: "Java",
    probe: ["javac", "--release", "17", "--version"],
    needed: "a JDK of 17 or later",
    fileName: "Program.java",
    program: "java",
    environment: { JDK_JAVA_OPTIONS: briefly },
    compile: async (texts, folder) => {
      const files = texts.map((text) => join(folder, `${javaClass(text)}.java`));
      for (const [index, file] of files.entries()) await writeFile(file, texts[index] as string);
      const { exitCode, error } = await execute("javac", ["-d", folder, ...files], {});
      if (exitCode !== 0) throw new Error(error);
    },
    compiled: (text, folder) => ["-cp", folder, javaClass(text)],
    trust: async (caFile, folder) => {
      const store = join(folder, "gatehouse.p12");
      const imported = ["-importcert", "-noprompt", "-alias", "gatehouse", "-file", caFile];
      await execute("keytool", [...imported, "-keystore", store, "-storepass", "changeit"], {});
      return {
        JDK_JAVA_OPTIONS: `${briefly} -Djavax.net.ssl.trustStore=${store} -Djavax.net.ssl.trustStorePassword=changeit`,
      };
    },
  },
} satisfies Record<string, Language>;

function javaClass(text: string): string {
  return /^public class (\w+)/m.exec(text)?.[1] ?? "";
}

export type LanguageName = keyof typeof languages;
export const languageNames = Object.keys(languages) as LanguageName[];

/**
 * Whether programs of this language can run here. If not, their tests are skipped and the test command
 * reports it.
 */
export async function isHere({ name, probe: [program, ...programArguments], needed }: Language) {
  const { exitCode } = await execute(program, programArguments, {});
  if (exitCode !== 0) sayLeftOut(`Left out: the examples in ${name}, because ${needed} is not installed.`);
  return exitCode === 0;
}

/** A folder in which programs find the client as an installed package. */
export async function programFolder(): Promise<string> {
  await buildCommand();
  const folder = await mkdtemp(join(tmpdir(), "gatehouse-examples-"));
  await mkdir(join(folder, "node_modules/@gatehouse-parking"), { recursive: true });
  await symlink(join(repository, "packages/client"), join(folder, "node_modules/@gatehouse-parking/client"));
  return folder;
}

/** Maps the text of a program to the folder with its compiled form. */
const compiledInto = new Map<string, string>();

/** Compiles programs together, because starting a compiler takes as long as compiling ten programs. */
export async function compileAhead(
  { compile }: Language,
  texts: readonly string[],
  folder: string,
): Promise<void> {
  if (!compile) return;
  const own = await mkdtemp(join(folder, "compiled-"));
  await compile(texts, own);
  for (const text of texts) compiledInto.set(text, own);
}

/** Runs a program in a new folder below the folder of the programs. */
export async function runProgram(
  language: Language,
  text: string,
  options: { folder: string; programArguments?: string[]; environment?: Record<string, string> },
): Promise<Ended> {
  const whatToRun = await runnable(language, text, options.folder);
  return execute(language.program, [...whatToRun, ...(options.programArguments ?? [])], {
    ...language.environment,
    ...options.environment,
  });
}

async function runnable(language: Language, text: string, folder: string): Promise<string[]> {
  if (language.compiled) {
    if (!compiledInto.has(text)) await compileAhead(language, [text], folder);
    return language.compiled(text, compiledInto.get(text) as string);
  }
  const own = await mkdtemp(join(folder, "program-"));
  const file = join(own, language.fileName);
  await writeFile(file, language.prepare ? language.prepare(text) : text);
  return [file];
}

export function readExample(name: string): Promise<string> {
  return readFile(join(repository, "examples", name), "utf8");
}

function execute(
  program: string,
  programArguments: string[],
  environment: Record<string, string>,
): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment };
    const child = execFile(program, programArguments, { env, timeout: timeoutMs }, (error, out, said) => {
      const exitCode = typeof error?.code === "number" ? error.code : error ? 127 : 0;
      resolve({ exitCode, out, error: said });
    });
    child.stdin?.end();
  });
}
