import type pg from "pg";
import { auditAccount } from "./audit-account.js";
import { endAllAccess } from "./memberships.js";
import { deleteSecondFactor } from "./second-factor.js";

/** What shows that the address of an account belongs to whoever signs in: an operator's link, or the provider's word. */
export type AddressProof = "operator" | "provider";

/**
 * Notes that the person owns the address of the account. The first time, everything ends that was set before: an admin who invited
 * the address could have opened the invitation, and set a password and a second factor that keep its owner out. The account is
 * locked. `keepsCredentials` is for a session that took them, and so shows that they belong to the same person.
 */
export async function proveAddress(
  client: pg.ClientBase,
  input: { userId: string; by: AddressProof; keepsCredentials: boolean; address: string },
): Promise<void> {
  const { userId, by, keepsCredentials } = input;
  const { rows } = await client.query<{ email: string; had_password: boolean }>(
    `select email, password_hash is not null as had_password from users
     where id = $1 and address_proven_at is null`,
    [userId],
  );
  const user = rows[0];
  if (!user) return;
  await client.query(
    `update users set address_proven_at = now(), address_proven_by = $2,
       password_hash = case when $3 then password_hash end
     where id = $1`,
    [userId, by, keepsCredentials],
  );
  const hadSecondFactor = !keepsCredentials && (await deleteSecondFactor(client, userId));
  if (!keepsCredentials) await endAllAccess(client, userId);
  await auditAccount(client, userId, {
    actor: { email: user.email, address: input.address },
    action: "user.prove-address",
    detail: {
      by,
      removedPassword: user.had_password && !keepsCredentials,
      removedSecondFactor: hadSecondFactor,
    },
  });
}
