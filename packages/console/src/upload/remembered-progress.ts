import type { Choices } from "./mapping.js";

/**
 * How far a file came and how it was mapped, kept in the browser: if the page is closed in the middle, dropping the
 * same file again offers to go on from there. Starting over would be safe too, only slower.
 */
const prefix = "gatehouse-upload ";

export interface ProgressKey {
  organizationUuid: string;
  resource: string;
  fileIdentity: string;
}

export interface Progress {
  recordsDone: number;
  choices: Choices;
}

export function readProgress(key: ProgressKey): Progress | null {
  const progress = JSON.parse(localStorage.getItem(keyText(key)) ?? "null") as Progress | number | null;
  // An older version kept only the number. Without its mapping, the file starts over.
  return typeof progress === "number" ? null : progress;
}

export function writeProgress(key: ProgressKey, progress: Progress): void {
  localStorage.setItem(keyText(key), JSON.stringify(progress));
}

export function forgetProgress(key: ProgressKey): void {
  localStorage.removeItem(keyText(key));
}

function keyText({ organizationUuid, resource, fileIdentity }: ProgressKey): string {
  return `${prefix}${organizationUuid} ${resource} ${fileIdentity}`;
}
