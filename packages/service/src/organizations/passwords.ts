import { hash, verify } from "@node-rs/argon2";
import { passwordLengths } from "@gatehouse-parking/contract";
import { InvalidInput } from "../refusals/invalid-input.js";
import { isCommonPassword } from "./common-passwords.js";

/** What OWASP recommends for argon2id, the library's default algorithm: about 25 ms and 19 MiB a guess. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
/** Something like abcabcabcabc: a piece of so many characters, over and over. */
const longestRepeatedPiece = 4;

/** Refuses what would be tried first. Which characters it has is everybody's own affair: length is what counts. */
export async function hashPassword(password: string, email?: string): Promise<string> {
  const normal = password.normalize("NFC");
  const { minimum, maximum } = passwordLengths;
  const length = [...password].length;
  if (length < minimum || length > maximum)
    throw new InvalidInput(
      `The password must have ${minimum} to ${maximum} characters; this one has ${length}`,
    );
  if (isCommonPassword(normal))
    throw new InvalidInput("This password is one of the most common ones. Choose one that nobody else has");
  if (isRepetition(normal))
    throw new InvalidInput("This password only repeats a few characters. Choose one that is harder to guess");
  if (email !== undefined && normal.toLowerCase().includes(email.normalize("NFC").toLowerCase()))
    throw new InvalidInput("The password must not contain your e-mail address");
  return hash(normal, parameters);
}

function isRepetition(password: string): boolean {
  for (let size = 1; size <= longestRepeatedPiece; size += 1)
    if (password.startsWith(password.slice(0, -size), size)) return true;
  return false;
}

/** A user without a password can only sign in by a one-time link, so no password fits. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  if (stored === null || password.length > 2 * passwordLengths.maximum) return false;
  return verify(stored, password.normalize("NFC"));
}
