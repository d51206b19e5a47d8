import { hash, verify } from "@node-rs/argon2";
import { passwordLengths } from "@gatehouse-parking/contract";
import { InvalidInput } from "../refusals/input-errors.js";
import { weaknessOf } from "./password-strength.js";

/** What OWASP recommends for argon2id, the library's default algorithm: about 25 ms and 19 MiB a guess. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/**
 * Refuses what would be tried first; `known` are words about the person, such as their address. Which characters the password has
 * does not matter.
 */
export async function hashPassword(password: string, known: readonly string[] = []): Promise<string> {
  const normal = password.normalize("NFC");
  const { minimum, maximum } = passwordLengths;
  const length = [...password].length;
  if (length < minimum || length > maximum)
    throw new InvalidInput(
      `The password must have ${minimum} to ${maximum} characters; this one has ${length}`,
    );
  const weakness = await weaknessOf(normal, known);
  if (weakness !== undefined)
    throw new InvalidInput(
      `This password is too easy to guess. ${weakness}. Several unrelated words make a good one`,
    );
  return hash(normal, parameters);
}

/** A user without a password can only sign in by a one-time link, so no password fits. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  if (stored === null || password.length > 2 * passwordLengths.maximum) return false;
  return verify(stored, password.normalize("NFC"));
}

let placeholderHash: Promise<string> | undefined;

/** Nobody's password, for checking one takes as long where there is no account. */
export function placeholderPassword(): Promise<string> {
  placeholderHash ??= hash("nobody has this password", parameters);
  return placeholderHash;
}
