import type { MappingContent } from "../mapping/choices.js";

/**
 * The mapping of a file that is being sent, kept in the browser: the service gets it only when it has the whole file, and
 * the page may be closed before.
 */
const prefix = "gatehouse-upload ";

export function readRememberedMapping(uploadUuid: string): MappingContent | null {
  return JSON.parse(localStorage.getItem(prefix + uploadUuid) ?? "null") as MappingContent | null;
}

export function rememberMapping(uploadUuid: string, mapping: MappingContent): void {
  localStorage.setItem(prefix + uploadUuid, JSON.stringify(mapping));
}

export function forgetMapping(uploadUuid: string): void {
  localStorage.removeItem(prefix + uploadUuid);
}
