import { hash, verify } from "@node-rs/argon2";
import { passwordLengths } from "@gatehouse-parking/contract";
import { invalidInput } from "../refusals/user-error.js";
import type { ZxcvbnFactory } from "@zxcvbn-ts/core";

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
    throw invalidInput(`The password must have ${minimum} to ${maximum} characters; this one has ${length}`);
  const weakness = await weaknessOf(normal, known);
  if (weakness !== undefined)
    throw invalidInput(
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

/**
 * Of 0 to 4: 3 withstands guessing for months even by somebody who has the hashes. See docs/decisions/0031.
 */
const minimumScore = 3;
/** Judging takes up to 30 ms of processor time for so many characters, and seconds for hundreds. More are not looked at. */
const maxJudgedCharacters = 32;
/** How many ways to replace 4 by a, and so on, are tried. */
const maxSubstitutions = 16;

/** Why a password is easy to guess, in the words of the library. */
const reasons: Record<string, string> = {
  common: "It is one of the most common passwords",
  similarToCommon: "It is similar to a common password",
  userInputs: "It contains your e-mail address or the name of your organization",
  simpleRepeat: "It repeats the same characters",
  extendedRepeat: "It repeats the same characters",
  sequences: "It contains a sequence such as abc or 6543",
  straightRow: "It follows a row of the keyboard",
  keyPattern: "It follows a pattern on the keyboard",
  recentYears: "It contains a year",
  dates: "It contains a date",
};

let judge: Promise<ZxcvbnFactory> | undefined;

/** The dictionaries take a fifth of a second and 20 MB, so they are loaded with the first password that somebody chooses. */
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

/** Why this password is too easy to guess; undefined if it is not. `known` are words that a guesser tries first for this person. */
export async function weaknessOf(password: string, known: readonly string[]): Promise<string | undefined> {
  judge ??= loadJudge();
  const judged = [...password].slice(0, maxJudgedCharacters).join("");
  const { score, feedback } = (await judge).check(judged, [...known]);
  if (score >= minimumScore) return undefined;
  return reasons[feedback.warning ?? ""] ?? "It is easy to guess";
}
