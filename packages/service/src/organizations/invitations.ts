import type pg from "pg";
import { writeAudit, type Actor } from "../audit/audit.js";
import { requireRoomForOneMore } from "./memberships.js";
import { hashToken, isToken, newToken, signInLinkHours } from "./sign-in-links.js";

/**
 * The invitation of somebody who has an account. Two things are needed to accept it: a session of that account, which whoever invites
 * does not have, and the link, which whoever made or borrowed the account does not have.
 */
interface Invitation {
  id: string;
  user_id: string;
  organization_id: string;
  role: "admin" | "viewer";
}

/** A new token in place of the last one. The database keeps only its SHA-256. */
export async function renewInvitation(
  client: pg.ClientBase,
  organizationId: string,
  invitationId: string,
): Promise<string> {
  const token = newToken();
  await client.query(
    `update memberships set invitation_hash = $3, invitation_expires_at = now() + make_interval(hours => $4)
     where organization_id = $1 and id = $2 and accepted_at is null`,
    [organizationId, invitationId, hashToken(token), signInLinkHours],
  );
  return token;
}

/** Undefined if it was used, renewed or taken back, or has expired. */
export async function findInvitation(
  client: pg.ClientBase | pg.Pool,
  token: string,
): Promise<Invitation | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await client.query<Invitation>(
    `select id, user_id, organization_id, role from memberships
     where invitation_hash = $1 and invitation_expires_at > now() and accepted_at is null and disabled_at is null`,
    [hashToken(token)],
  );
  return rows[0];
}

/**
 * Lets the person in, from the next request on. Links that others have made for the account end here: they would open this
 * organization too. Gives the organization; "another's" if the invitation is not for this person.
 */
export async function acceptInvitation(
  client: pg.ClientBase,
  { token, userId, actor }: { token: string; userId: string; actor: Actor },
): Promise<{ organizationId: string } | "another's" | undefined> {
  const { rows } = await client.query<{ role: string }>("select role from users where id = $1 for update", [
    userId,
  ]);
  const invitation = await findInvitation(client, token);
  if (!invitation) return undefined;
  if (invitation.user_id !== userId) return "another's";
  const { id, organization_id: organizationId } = invitation;
  const isOperator = rows[0]?.role === "operator";
  // An operator sees the organization anyway, and as a member would see it even after having been disabled.
  if (isOperator) await client.query("delete from memberships where id = $1", [id]);
  else {
    await requireRoomForOneMore(client, userId);
    await client.query(
      `update memberships set accepted_at = now(), invitation_hash = null, invitation_expires_at = null
       where id = $1`,
      [id],
    );
    await client.query("delete from sign_in_links where user_id = $1", [userId]);
  }
  await writeAudit(client, {
    organizationId,
    actor,
    action: "user.accept-invitation",
    subjectId: userId,
    detail: { role: isOperator ? "operator" : invitation.role },
  });
  return { organizationId };
}
