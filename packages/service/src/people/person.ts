import { createHash } from "node:crypto";
import { emailKey, isEmail, isStorableText } from "@gatehouse-parking/contract";
import type pg from "pg";
import { InvalidInput } from "../organizations/invalid-input.js";
import { requireOrganization } from "../organizations/organizations.js";

/** A person, as an organization knows them: by e-mail address. */
export interface PersonQuery {
  organizationId: string;
  email: string;
  actor: string;
}

/** What leads and contacts are matched by, once organization and address have been found in order. */
export async function requirePerson(client: pg.ClientBase, query: PersonQuery): Promise<string> {
  await requireOrganization(client, query.organizationId);
  if (!isEmail(query.email) || !isStorableText(query.email))
    throw new InvalidInput(`"${query.email}" is not an e-mail address`);
  return emailKey(query.email);
}

/** The audit log must not keep the very address that was deleted; its hash still answers "was it this one?". */
export function hashedEmail(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
