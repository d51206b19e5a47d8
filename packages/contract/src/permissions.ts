/** What a key may do. A key has all of them unless its creator chose fewer. */
export const permissions = [
  "leads:write",
  "transactions:write",
  "accounts:write",
  "subscriptions:write",
  "locations:read",
  "imports:read",
] as const;
export type Permission = (typeof permissions)[number];

export function isPermission(value: string): value is Permission {
  return (permissions as readonly string[]).includes(value);
}
