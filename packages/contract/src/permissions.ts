import { importResourceNames } from "./import-resources.js";

/** A key has these permissions unless its creator chose others. */
export const defaultPermissions = [
  "leads:write",
  ...importResourceNames.map((name) => `${name}:write` as const),
  "locations:read",
  "imports:read",
] as const;

/** A key has these only if its creator chose them. */
export const optionalPermissions = ["uploads:write"] as const;

/** Everything a key can be allowed to do. */
export const permissions = [...defaultPermissions, ...optionalPermissions] as const;
export type Permission = (typeof permissions)[number];

export function isPermission(value: string): value is Permission {
  return (permissions as readonly string[]).includes(value);
}
