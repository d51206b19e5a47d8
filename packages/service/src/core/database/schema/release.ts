import { packageVersion } from "../../version.js";

/** The version of this code, such as 1.1.0. It does not change while the process runs. */
export const thisRelease = packageVersion();

/** Whether `one` is older than `other`. A release candidate counts as its final release. */
export function isOlderRelease(one: string, other: string): boolean {
  const [left, right] = [partsOf(one), partsOf(other)];
  const at = left.findIndex((part, index) => part !== right[index]);
  return at !== -1 && (left[at] as number) < (right[at] as number);
}

function partsOf(release: string): number[] {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(release);
  if (!parts) throw new Error(`${release} is not a release such as 1.1.0`);
  return parts.slice(1).map(Number);
}
