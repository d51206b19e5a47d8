import { readFile } from "node:fs/promises";

export const keyVariable = "GATEHOUSE_API_KEY";

/** The key comes from a file or the environment, never from an argument: every user of the machine can list those. */
export async function readApiKey(
  keyFile: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  const key = keyFile === undefined ? environment[keyVariable] : await readKeyFile(keyFile);
  const trimmed = key?.trim() ?? "";
  if (trimmed === "")
    throw new Error(
      keyFile === undefined
        ? `An API key is needed: put it into a file and add --key-file FILE, or set ${keyVariable}`
        : `The key file ${keyFile} is empty`,
    );
  if (!/^[\x21-\x7e]+$/.test(trimmed))
    throw new Error("The API key contains characters that no key has; is it the right file?");
  return trimmed;
}

async function readKeyFile(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new Error(`The key file cannot be read: ${(error as Error).message}`, { cause: error });
  }
}
