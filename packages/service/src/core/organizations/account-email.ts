import { emailKey, isEmail, isStorableText } from "@gatehouse-parking/contract";
import { invalidInput, requireText } from "../refusals/user-error.js";

/**
 * The one place that compares the addresses of accounts, for every way to sign in, to invite and to name somebody.
 * Contacts and leads are compared by emailKey, which is about records and opens nothing.
 */
export const maxEmailLength = 320;
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Whether each character is one that no other character stands for. Case folding and normalization turn the Kelvin sign into k and
 * full-width letters into ASCII, so an address with one of them would be taken for somebody else's.
 */
export function isPlainEmail(text: string): boolean {
  return (
    text.length <= 2 * maxEmailLength &&
    isEmail(text) &&
    !invisible.test(text) &&
    [...text].every((character) => character.normalize("NFKC") === character)
  );
}

/** The address as it is stored, without spaces around it. */
export function checkEmail(email: string): string {
  const text = withoutSpaces(requireText("email", email, maxEmailLength));
  if (!isEmail(text)) throw invalidInput(`"${email}" is not an e-mail address such as jo@example.com`);
  if (!isPlainEmail(text))
    throw invalidInput(
      `"${email}" has a character that is invisible or stands for another one; write the address in plain letters`,
    );
  return text.normalize("NFC");
}

/** What a new account is stored under. */
export function accountKey(plainEmail: string): string {
  return plainEmail.normalize("NFC").toLowerCase().normalize("NFC");
}

/**
 * What an account may be stored under, the likeliest first. Release 1.1.0 stored addresses as they were typed, composed or not, so
 * that an account is looked up under each form. Addresses that are not plain find only an account that was stored with them.
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
