import { importResourceNames } from "./import-resources.js";

/** What a key can do. A key has all permissions unless its creator chose fewer. */
export const permissions = [
  "leads:write",
  ...importResourceNames.map((name) => `${name}:write` as const),
  "locations:read",
  "imports:read",
  "uploads:write",
] as const;
export type Permission = (typeof permissions)[number];

export function isPermission(value: string): value is Permission {
  return (permissions as readonly string[]).includes(value);
}
