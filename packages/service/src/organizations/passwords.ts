import { hash, verify } from "@node-rs/argon2";
import { InvalidInput } from "../refusals/invalid-input.js";

/** What OWASP recommends for argon2id, the library's default algorithm: about 25 ms and 19 MiB a guess. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
const minPasswordLength = 8;
/** Longer ones would only cost time to hash. */
const maxPasswordLength = 512;

export async function hashPassword(password: string): Promise<string> {
  const length = [...password].length;
  if (length < minPasswordLength || length > maxPasswordLength) {
    throw new InvalidInput(
      `The password must have ${minPasswordLength} to ${maxPasswordLength} characters; this one has ${length}`,
    );
  }
  return hash(password.normalize("NFC"), parameters);
}

/** A user without a password can only sign in by a one-time link, so no password fits. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  if (stored === null || password.length > 2 * maxPasswordLength) return false;
  return verify(stored, password.normalize("NFC"));
}
