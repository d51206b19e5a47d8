import { createHash } from "node:crypto";

/** Somebody saves what they edited in an older version than the one that is stored. The message is meant for them. */
export class ChangedMeanwhile extends Error {
  override name = "ChangedMeanwhile";
}

/**
 * Names the state that somebody looks at, so that they can say with their changes what these are changes of. It is made
 * of the values, not counted: whoever changes them, be it the command line or an older release, makes another version.
 */
export function versionOf(values: object): string {
  const inOrder = Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(inOrder)).digest("base64url");
}

/** Throws if the changes are ones of another version. Without one, as on the command line, they count in any case. */
export function requireVersion(what: string, stored: string, wanted: string | undefined): void {
  if (wanted === undefined || wanted === stored) return;
  throw new ChangedMeanwhile(`${what} was changed since you opened it. Nothing of yours was saved`);
}
