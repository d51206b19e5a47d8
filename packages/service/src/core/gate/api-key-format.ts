import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/**
 * A key is `ghk_`, 30 random characters (178 bits) and a 6-character checksum. The prefix lets secret scanners
 * recognize a leaked key. The checksum rejects a mistyped or invented key without a query.
 */
const keyPrefix = "ghk_";
const randomLength = 30;
const checksumLength = 6;
const keyShape = new RegExp(`^${keyPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function generateApiKey(): string {
  const body = keyPrefix + randomCharacters(randomLength);
  return body + checksum(body);
}

export function isWellFormedApiKey(key: string): boolean {
  return keyShape.test(key) && key.slice(-checksumLength) === checksum(key.slice(0, -checksumLength));
}

/** The database stores only the SHA-256 of a key. */
export function hashApiKey(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** The part of a key that may be shown after its creation. */
export function shownPrefix(key: string): string {
  return key.slice(0, keyPrefix.length + 6);
}

function randomCharacters(length: number): string {
  let characters = "";
  while (characters.length < length) {
    for (const byte of randomBytes(length)) {
      // Bytes from 248 up are discarded: 248 is the largest multiple of 62, so all characters are equally likely.
      if (byte < 248 && characters.length < length) characters += alphabet[byte % 62];
    }
  }
  return characters;
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let index = 0; index < checksumLength; index += 1) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
