import { readdir, stat } from "node:fs/promises";
import { extname, join } from "node:path";
import { entities, type ImportResourceName } from "@gatehouse-parking/contract";
import { formatOfExtension } from "@gatehouse-parking/record-files";

/** What others refer to comes first: accounts, then subscriptions, then transactions. */
export const pushOrder = entities
  .filter(({ imported }) => imported)
  .map(({ plural }) => plural as ImportResourceName);

export interface FolderFile {
  resource: ImportResourceName;
  file: string;
}

/** The files of a folder that are named after a resource, in the order they have to be pushed. */
export async function filesOfFolder(folder: string): Promise<FolderFile[]> {
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory()) {
    throw new Error(
      `${folder} is no folder. To push a file, name what is in it: gatehouse-push transactions ${folder}`,
    );
  }
  const names = await readdir(folder);
  const files = pushOrder.flatMap((resource) => {
    const candidates = names.filter((name) => isFileOf(name, resource));
    if (candidates.length > 1)
      throw new Error(
        `${folder} has several files of ${resource} (${candidates.join(", ")}); keep one of them`,
      );
    return candidates.map((name) => ({ resource, file: join(folder, name) }));
  });
  if (files.length === 0) {
    throw new Error(
      `${folder} has no file named ${inWords(pushOrder, "or")} (${Object.keys(formatOfExtension).join(", ")})`,
    );
  }
  return files;
}

/** Such as "a, b and c". */
export function inWords(words: readonly string[], conjunction: "and" | "or"): string {
  return `${words.slice(0, -1).join(", ")} ${conjunction} ${words.at(-1)}`;
}

function isFileOf(name: string, resource: string): boolean {
  const extension = extname(name);
  return Object.hasOwn(formatOfExtension, extension.toLowerCase()) && name === resource + extension;
}
