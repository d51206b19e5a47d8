import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

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
