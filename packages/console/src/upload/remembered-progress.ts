/**
 * How far a file came, kept in the browser: if the page is closed in the middle, dropping the same file again offers to
 * go on from there. Starting over would be safe too, only slower.
 */
const prefix = "gatehouse-upload ";

export interface ProgressKey {
  organizationUuid: string;
  resource: string;
  fileIdentity: string;
}

export function readProgress(key: ProgressKey): number {
  return Number(localStorage.getItem(keyText(key))) || 0;
}

export function writeProgress(key: ProgressKey, recordsDone: number): void {
  localStorage.setItem(keyText(key), String(recordsDone));
}

export function forgetProgress(key: ProgressKey): void {
  localStorage.removeItem(keyText(key));
}

function keyText({ organizationUuid, resource, fileIdentity }: ProgressKey): string {
  return `${prefix}${organizationUuid} ${resource} ${fileIdentity}`;
}
