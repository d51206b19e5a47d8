import { createHash, randomBytes, createCipheriv, createDecipheriv } from "node:crypto";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.js";

const tokenBytes = 32;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/** A secret for a cookie or a link: 256 random bits. The database stores only its hash. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString("base64url");
}

/** Other texts are never looked up. */
export function isToken(text: string): boolean {
  return tokenShape.test(text);
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * Secrets at rest: AES-256-GCM under the operator's secret key. What it is and its owner, an organization or a person,
 * go in as additional data, so a secret that was copied to another owner's row does not open there.
 *
 * Layout: version (1 byte), nonce (12), tag (16), ciphertext. The version leaves room for another cipher or key.
 */
const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const headerBytes = 1 + nonceBytes + tagBytes;

export type SecretPurpose = "captcha secret" | "second factor" | "receipt key";

export function sealSecret(
  secretKey: Buffer,
  ownerId: string,
  secret: string,
  purpose: SecretPurpose = "captcha secret",
): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", secretKey, nonce, { authTagLength: tagBytes });
  cipher.setAAD(additionalData(purpose, ownerId));
  const ciphertext = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(version), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Throws if the secret was sealed with another key, for another owner or purpose, or was altered. */
export function openSecret(
  secretKey: Buffer,
  ownerId: string,
  sealed: Buffer,
  purpose: SecretPurpose = "captcha secret",
): string {
  if (sealed.length < headerBytes || sealed[0] !== version) throw unreadable();
  const nonce = sealed.subarray(1, 1 + nonceBytes);
  const tag = sealed.subarray(1 + nonceBytes, headerBytes);
  const decipher = createDecipheriv("aes-256-gcm", secretKey, nonce, { authTagLength: tagBytes });
  decipher.setAAD(additionalData(purpose, ownerId));
  decipher.setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed.subarray(headerBytes)), decipher.final()]).toString("utf8");
  } catch {
    throw unreadable();
  }
}

function unreadable(): Error {
  return new Error(
    "The stored secret does not open with this secret key. Start the service with the GATEHOUSE_SECRET_KEY (or the secret.key file) it was stored with, or set the secret again",
  );
}

function additionalData(purpose: SecretPurpose, ownerId: string): Buffer {
  return Buffer.from(`gatehouse ${purpose} ${ownerId.toLowerCase()}`, "utf8");
}

export const secretKeyBytes = 32;
const fileName = "secret.key";

/** The key is loaded on first use: most services never need one, nor a folder to store it in. */
export interface SecretKeySource {
  /** To decrypt. Throws if there is no key, because a new one would decrypt nothing. */
  find(): Promise<Buffer>;
  /** To encrypt. Creates a key if there is none. */
  findOrMake(): Promise<Buffer>;
}

/** Caches the key after the first use. Errors are not cached. */
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
 * The key that encrypts secrets at rest, such as captcha secrets: GATEHOUSE_SECRET_KEY, or a file in the data
 * folder that is created once. The first process to create the file wins, so that processes that start together use
 * the same key.
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
      `${file} does not hold ${secretKeyBytes} bytes in base64. Restore it from a backup; without it the stored captcha secrets cannot be read and must be set again.`,
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
