import { randomBytes } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.js";

export const secretKeyBytes = 32;
const fileName = "secret.key";

/** Whoever needs the key asks for it then: most services never do, and need no folder to keep one in. */
export interface SecretKeySource {
  /** To read what was stored. There must be a key: a new one would open nothing. */
  find(): Promise<Buffer>;
  /** To store something. Without a key, one is made. */
  findOrMake(): Promise<Buffer>;
}

/** Finds the key when it is first asked for, and remembers it. What failed is tried again the next time. */
export function secretKeySource(config: Pick<Config, "secretKey" | "dataDirectory">): SecretKeySource {
  let known: Buffer | undefined;
  return {
    find: async () => (known ??= await findSecretKey(config)),
    findOrMake: async () => (known ??= await loadSecretKey(config)),
  };
}

async function findSecretKey(config: Pick<Config, "secretKey" | "dataDirectory">): Promise<Buffer> {
  const file = path.resolve(config.dataDirectory, fileName);
  const key = config.secretKey ?? (await readKey(file));
  if (key) return key;
  throw new Error(
    `There is no secret key: neither GATEHOUSE_SECRET_KEY nor ${file}. Set the one that the secret was stored with.`,
  );
}

/**
 * The key that encrypts what the database must not be able to read by itself, such as captcha secrets. The operator's
 * GATEHOUSE_SECRET_KEY, or one that is made once in the data folder. Whoever makes the file first wins, so that two
 * processes that start at the same moment agree on it.
 */
export async function loadSecretKey(config: Pick<Config, "secretKey" | "dataDirectory">): Promise<Buffer> {
  if (config.secretKey) return config.secretKey;
  const file = path.resolve(config.dataDirectory, fileName);
  const existing = await readKey(file);
  if (existing) return existing;
  await makeKey(file);
  return (await readKey(file)) as Buffer;
}

async function readKey(file: string): Promise<Buffer | undefined> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw new Error(`The secret key ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  const key = Buffer.from(text, "base64");
  if (key.length !== secretKeyBytes) {
    throw new Error(
      `${file} does not hold ${secretKeyBytes} bytes in base64. Restore it from a backup; without it the stored captcha secrets cannot be read and must be set anew.`,
    );
  }
  return key;
}

async function makeKey(file: string): Promise<void> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, `${randomBytes(secretKeyBytes).toString("base64")}\n`, {
      mode: 0o600,
      flush: true,
    });
  } catch (error) {
    throw new Error(
      `No secret key can be kept in ${file}: ${(error as Error).message}. Set GATEHOUSE_SECRET_KEY (openssl rand -base64 32).`,
      { cause: error },
    );
  }
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft);
  }
}
