import { createHash, randomBytes } from "node:crypto";

const tokenBytes = 32;
const tokenShape = /^[A-Za-z0-9_-]{43}$/;

/** A secret for a cookie or a link: 256 random bits. The database keeps only its hash. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString("base64url");
}

/** Whether a text could be a token. Nothing else is looked up. */
export function isToken(text: string): boolean {
  return tokenShape.test(text);
}

export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
