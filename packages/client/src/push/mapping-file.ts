import { readFile } from "node:fs/promises";
import { toMapping, type Mapping } from "@gatehouse-parking/record-files";

export async function readMapping(file: string): Promise<Mapping> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(`The mapping file ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  return toMapping(content, file);
}
