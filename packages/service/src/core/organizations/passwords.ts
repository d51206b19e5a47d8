import { hash, verify } from "@node-rs/argon2";
import { passwordLengths } from "@gatehouse-parking/contract";
import { invalidInput } from "../refusals/user-error.js";
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

/** What OWASP recommends for argon2id, the library's default algorithm: about 25 ms and 19 MiB a guess. */
const parameters = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/**
 * Refuses passwords that are easy to guess. `known` are words about the user, such as their address. There are no
 * rules about kinds of characters.
 */
export async function hashPassword(password: string, known: readonly string[] = []): Promise<string> {
  const normal = password.normalize("NFC");
  const { minimum, maximum } = passwordLengths;
  const length = [...password].length;
  if (length < minimum || length > maximum)
    throw invalidInput(`The password must have ${minimum} to ${maximum} characters; this one has ${length}`);
  const weakness = await weaknessOf(normal, known);
  if (weakness !== undefined)
    throw invalidInput(
      `This password is too easy to guess. ${weakness}. Several unrelated words make a good one`,
    );
  return hash(normal, parameters);
}

/** A user without a password can only sign in by a one-time link. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  if (stored === null || password.length > 2 * passwordLengths.maximum) return false;
  return verify(stored, password.normalize("NFC"));
}

let placeholderHash: Promise<string> | undefined;

/** Hashed for unknown accounts, so that they take as long as known ones. */
export function placeholderPassword(): Promise<string> {
  placeholderHash ??= hash("a placeholder password", parameters);
  return placeholderHash;
}

/**
 * Of 0 to 4. A password with 3 withstands months of guessing by an attacker who has the hashes. See docs/decisions/0031.
 */
const minimumScore = 3;
/** The estimate takes up to 30 ms of CPU time for 32 characters, and seconds for hundreds. */
const maxJudgedCharacters = 32;
/** How many substitutions, such as 4 for a, are tried. */
const maxSubstitutions = 16;

/** Why a password is easy to guess, in the words of the library. */
const reasons: Record<string, string> = {
  common: "It is one of the most common passwords",
  similarToCommon: "It is similar to a common password",
  userInputs: "It contains your email address or the name of your organization",
  simpleRepeat: "It repeats the same characters",
  extendedRepeat: "It repeats the same characters",
  sequences: "It contains a sequence such as abc or 6543",
  straightRow: "It follows a row of the keyboard",
  keyPattern: "It follows a pattern on the keyboard",
  recentYears: "It contains a year",
  dates: "It contains a date",
};

let judge: Promise<ZxcvbnFactory> | undefined;

/** The dictionaries take 200 ms and 20 MB, so they are loaded with the first new password. */
async function loadJudge(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Judge }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import("@zxcvbn-ts/core"),
    import("@zxcvbn-ts/language-common"),
  ]);
  return new Judge({
    dictionary,
    graphs: adjacencyGraphs,
    maxLength: 2 * maxJudgedCharacters,
    l33tMaxSubstitutions: maxSubstitutions,
  });
}

/** Why this password is too easy to guess, or undefined. `known` are words that an attacker tries first for this user. */
export async function weaknessOf(password: string, known: readonly string[]): Promise<string | undefined> {
  judge ??= loadJudge();
  const judged = [...password].slice(0, maxJudgedCharacters).join("");
  const { score, feedback } = (await judge).check(judged, [...known]);
  if (score >= minimumScore) return undefined;
  return reasons[feedback.warning ?? ""] ?? "It is easy to guess";
}
