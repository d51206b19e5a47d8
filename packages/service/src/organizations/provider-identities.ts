import { emailKey } from "@gatehouse-parking/contract";
import type pg from "pg";
import { auditAccount } from "./audit-account.js";
import { mayEnter } from "./memberships.js";

/** Who somebody is at an OpenID provider. */
export interface Identity {
  issuer: string;
  /** Never changes there and is never given to anybody else, which an e-mail address may be. */
  subject: string;
  /** Undefined: the provider does not vouch for one. */
  verifiedEmail: string | undefined;
}

/**
 * The person of this identity. At their first sign-in it is whoever was invited with the verified address, and from then
 * on only this identity of the provider is theirs: somebody who is given the address later is not let in as them.
 * An address alone does not stand in for a second factor, so whoever has one is bound only while they are signed in.
 */
export async function findOrBindIdentity(
  client: pg.ClientBase,
  { issuer, subject, verifiedEmail }: Identity,
  { address, signedInId }: { address: string; signedInId: string | undefined },
): Promise<{ userId: string } | "secondFactorFirst" | undefined> {
  const known = await client.query<{ id: string }>(
    `select users.id from provider_identities as identity join users on users.id = identity.user_id
     where identity.issuer = $1 and identity.subject = $2 and ${mayEnter("users")}`,
    [issuer, subject],
  );
  if (known.rows[0]) return { userId: known.rows[0].id };
  if (verifiedEmail === undefined) return undefined;
  const invited = await client.query<{ id: string; email: string; has_second_factor: boolean }>(
    `select id, email, exists (
       select from second_factors where user_id = users.id and confirmed_at is not null
     ) as has_second_factor
     from users where email_key = $1 and ${mayEnter("users")} for share of users`,
    [emailKey(verifiedEmail).replaceAll("\u0000", "\uffff")],
  );
  const person = invited.rows[0];
  if (!person) return undefined;
  if (person.has_second_factor && person.id !== signedInId) return "secondFactorFirst";
  const { rowCount } = await client.query(
    "insert into provider_identities (issuer, subject, user_id) values ($1, $2, $3) on conflict do nothing",
    [issuer, subject, person.id],
  );
  if (rowCount === 0) return undefined;
  await auditAccount(client, person.id, {
    actor: { email: person.email, address },
    action: "user.bind-provider",
    detail: { issuer, subject },
  });
  return { userId: person.id };
}
