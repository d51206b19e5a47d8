import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * Time-based one-time passwords (RFC 6238) with the defaults of all authenticator apps: SHA-1, six digits,
 * thirty seconds. SHA-1 is safe here, because HMAC does not depend on collision resistance.
 */
export const secretBytes = 20;
const stepSeconds = 30;
const digits = 6;
/** How many steps the clock of a phone may be ahead or behind. */
const driftSteps = 1;
const codeShape = /^[0-9]{6}$/;

export function stepAt(timeMs: number): number {
  return Math.floor(timeMs / 1_000 / stepSeconds);
}

export function codeOfStep(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = (digest.at(-1) as number) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/**
 * The step of the code, if it is the current one or next to it, and the latest if several match. All are
 * compared, in constant time.
 */
export function matchingStep(secret: Buffer, code: string, timeMs: number): number | undefined {
  if (!isTotpCode(code)) return undefined;
  const now = stepAt(timeMs);
  let found: number | undefined;
  for (let step = now - driftSteps; step <= now + driftSteps; step += 1)
    if (timingSafeEqual(Buffer.from(codeOfStep(secret, step)), Buffer.from(code))) found = step;
  return found;
}

export function isTotpCode(text: string): boolean {
  return codeShape.test(text);
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/**
 * Base32 without padding, as users type it into an app. Only for whole groups of five bytes, which our
 * secrets have.
 */
export function toBase32(bytes: Buffer): string {
  let text = "";
  for (let start = 0; start < bytes.length; start += 5) {
    const group = bytes.readUIntBE(start, 5);
    for (let shift = 7; shift >= 0; shift -= 1) text += alphabet[Math.floor(group / 32 ** shift) % 32];
  }
  return text;
}

/** The content of the QR code. Apps show issuer and account beside the code. */
export function totpAddress(secret: Buffer, account: string): string {
  const parameters = new URLSearchParams({ secret: toBase32(secret), issuer });
  return `otpauth://totp/${issuer}:${encodeURIComponent(account)}?${parameters}`;
}
const issuer = "Gatehouse";
