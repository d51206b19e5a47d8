import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { entities, type ImportResourceName } from "@gatehouse-parking/contract";
import { formatExtension, formatOfExtension } from "@gatehouse-parking/record-files";
import { commandText } from "./command-text.js";

/** Referenced records come first: accounts, then subscriptions, then transactions. */
export const pushOrder = entities
  .filter(({ imported }) => imported)
  .map(({ plural }) => plural as ImportResourceName);

export interface FolderFile {
  resource: ImportResourceName;
  file: string;
  /** The mapping file of the resource. */
  mapping?: string | undefined;
}

/**
 * The files of a folder that are named after a resource, in push order. Each may have a mapping file named
 * after the same resource, such as accounts.mapping.json, in the same folder or in the folder of --mapping.
 */
export async function filesOfFolder(folder: string, mappingFolder: string = folder): Promise<FolderFile[]> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new Error(
      `${folder} is not a folder. To push a file, name the resource:\n  ${commandText(["transactions", folder], [])}`,
    );
  }
  const names = await readdir(folder);
  const mappings = new Set(
    await readdir(mappingFolder).catch((error: Error) => {
      throw new Error(`When a folder is pushed, --mapping must be a folder: ${error.message}`, {
        cause: error,
      });
    }),
  );
  const files = pushOrder.flatMap((resource) => {
    const candidates = names.filter((name) => isFileOf(name, resource));
    if (candidates.length > 1)
      throw new Error(
        `${folder} contains several files of ${resource} (${candidates.join(", ")}); keep one of them`,
      );
    return candidates.map((name) => ({
      resource,
      file: join(folder, name),
      mapping: mappings.has(mappingName(resource)) ? join(mappingFolder, mappingName(resource)) : undefined,
    }));
  });
  if (files.length === 0) {
    throw new Error(
      `${folder} contains no file named ${joinWords(pushOrder, "or")} (${Object.keys(formatOfExtension).join(", ")})`,
    );
  }
  return files;
}

/** Formats a list as "a, b and c". */
export function joinWords(words: readonly string[], conjunction: "and" | "or"): string {
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

function mappingName(resource: ImportResourceName): string {
  return `${resource}.mapping.json`;
}

function isFileOf(name: string, resource: string): boolean {
  const extension = formatExtension(name);
  const isFormat = Object.hasOwn(formatOfExtension, extension);
  return (
    isFormat && (name === resource + extname(name) || name === `${resource}${extension}${extname(name)}`)
  );
}
