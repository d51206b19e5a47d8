import { execFile } from "node:child_process";
import { lstat, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Candidate } from "./sources.js";

const unpackTimeoutMs = 120_000;
const run = promisify(execFile);
const here = dirname(fileURLToPath(import.meta.url));

/**
 * The Chromium of the npm package @sparticuz/chromium. Nothing has to be downloaded or installed: the package includes
 * the libraries that a bare server lacks (libnss3, libnspr4, libexpat). Linux x64 only.
 */
export async function packagedChromium(): Promise<Candidate> {
  const directory = await unpackedChromium();
  return {
    executable: join(directory, "chromium"),
    environment: {
      LD_LIBRARY_PATH: join(directory, "al2023", "lib"),
      FONTCONFIG_PATH: join(directory, "fonts"),
    },
  };
}

/**
 * The unpacked browser (206 MB), cached for later runs. It is unpacked under a temporary name and then renamed, so
 * that concurrent or killed runs never leave an incomplete browser.
 */
async function unpackedChromium(): Promise<string> {
  const directory = join(tmpdir(), `gatehouse-chromium-${await packageVersion()}-${process.getuid?.() ?? 0}`);
  if (await isOurs(directory)) return directory;

  const staging = await mkdtemp(`${directory}-`);
  try {
    // The package unpacks into the temporary folder, and its libraries only if it detects AWS Lambda.
    const unpack = `import chromium from "@sparticuz/chromium"; await chromium.executablePath();`;
    await run(process.execPath, ["--input-type=module", "-e", unpack], {
      cwd: here,
      timeout: unpackTimeoutMs,
      env: { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
    });
    await writeFile(join(staging, "fonts", "fonts.conf"), fontConfiguration(directory));
    await rename(staging, directory);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    // Another run may have been faster. Its result is equally good.
    if (!(await isOurs(directory))) throw error;
  }
  return directory;
}

/** The package's fontconfig names the folders of AWS Lambda. Without a font, the browser crashes at the first text. */
function fontConfiguration(directory: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${directory}/fonts</dir>
  <cachedir>${directory}/fonts-cache</cachedir>
</fontconfig>
`;
}

/** A folder in the shared temporary folder is trusted only if no other user could have created it. */
async function isOurs(directory: string): Promise<boolean> {
  const found = await lstat(directory).catch(() => undefined);
  if (!found) return false;
  const isPrivate = found.isDirectory() && (found.mode & 0o022) === 0;
  if (isPrivate && found.uid === (process.getuid?.() ?? found.uid)) return true;
  throw new Error(`${directory} belongs to another user; remove it and run the tests again`);
}

async function packageVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve("@sparticuz/chromium");
  const manifest = join(dirname(entry), "..", "..", "package.json");
  return (JSON.parse(await readFile(manifest, "utf8")) as { version: string }).version;
}
