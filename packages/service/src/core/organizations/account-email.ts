import { emailKey, isEmail, isStorableText } from "@gatehouse-parking/contract";
import { invalidInput, requireText } from "../refusals/user-error.js";

/**
 * The only place that compares the email addresses of accounts, for every way to sign in, invite or name a
 * user. Contacts and leads are compared by emailKey, which grants no access.
 */
export const maxEmailLength = 320;
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether each character is one that case folding and normalization keep. They turn the Kelvin sign into k
 * and full-width letters into ASCII, so an address with such a character could be taken for another user's.
 */
export function isPlainEmail(text: string): boolean {
  return (
    text.length <= 2 * maxEmailLength &&
    isEmail(text) &&
    !invisible.test(text) &&
    [...text].every((character) => character.normalize("NFKC") === character)
  );
}

/** The address as it is stored, without surrounding spaces. */
export function checkEmail(email: string): string {
  const text = withoutSpaces(requireText("email", email, maxEmailLength));
  if (!isEmail(text)) throw invalidInput(`"${email}" is not an email address such as jo@example.com`);
  if (!isPlainEmail(text))
    throw invalidInput(
      `"${email}" has a character that is invisible or can be mistaken for another one; use plain letters`,
    );
  return text.normalize("NFC");
}

/** The key of a new account. */
export function accountKey(plainEmail: string): string {
  return plainEmail.normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * The keys that an account may have, the most likely first. Release 1.1.0 stored addresses as they were
 * typed, composed or not, so each form is looked up. Addresses with ambiguous characters match only an
 * account that was stored with exactly those.
 */
export function accountKeys(typed: string): string[] {
  const text = withoutSpaces(typed);
  if (isPlainEmail(text)) {
    const key = accountKey(text);
    return [...new Set([text.toLowerCase(), key, key.normalize("NFD")])];
  }
  const stored = emailKey(text);
  return isStorableText(stored) && !isPlainEmail(stored) && stored.length <= 2 * maxEmailLength
    ? [stored]
    : [];
}

function withoutSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (text[start] === " ") start += 1;
  while (end > start && text[end - 1] === " ") end -= 1;
  return text.slice(start, end);
}
