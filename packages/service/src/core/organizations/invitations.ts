import type pg from "pg";
import { writeAudit, type Actor } from "../audit/audit.js";
import { auditAccount } from "./audit-account.js";
import { requireRoomForOneMore } from "./memberships.js";
import { lockOwnAccount, type OnOwnAccount } from "./lock-account.js";
import { mayStillInvite, signInLinkHours, type LinkMaker } from "./sign-in-links.js";
import { hashToken, isToken, newToken } from "./tokens.js";

/**
 * The invitation of somebody who has an account. Two things are needed to accept it: a session of that account, which whoever invites
 * does not have, and the link, which whoever made or borrowed the account does not have.
 */
interface Invitation {
  id: string;
  user_id: string;
  organization_id: string;
  role: "admin" | "viewer";
  invitation_made_by: string | null;
}

/**
 * A new token in place of the last one. The database keeps only its SHA-256, and notes its maker with it: release 1.1.0 renews an
 * invitation without changing the maker.
 */
export async function renewInvitation(
  client: pg.ClientBase,
  { organizationId, id, maker }: { organizationId: string; id: string; maker: LinkMaker },
): Promise<string> {
  const token = newToken();
  await client.query(
    `update memberships set invitation_hash = $3, invitation_expires_at = now() + make_interval(hours => $4),
       invitation_made_by = $5, invitation_maker_hash = $3
     where organization_id = $1 and id = $2 and accepted_at is null`,
    [organizationId, id, hashToken(token), signInLinkHours, maker === "operator" ? null : maker.id],
  );
  return token;
}

/** Undefined if it was used, renewed or taken back, has expired, or its maker may not invite people any more. */
export async function findInvitation(
  client: pg.ClientBase | pg.Pool,
  token: string,
): Promise<Invitation | undefined> {
  if (!isToken(token)) return undefined;
  const { rows } = await client.query<Invitation>(
    `select id, user_id, organization_id, role, invitation_made_by from memberships
     where invitation_hash = $1 and invitation_expires_at > now() and accepted_at is null and disabled_at is null
       and invitation_maker_hash = invitation_hash
       and ${mayStillInvite("invitation_made_by", "organization_id", "(invitation_made_by is null)")}`,
    [hashToken(token)],
  );
  return rows[0];
}

interface Accepting extends OnOwnAccount {
  token: string;
  /** What opened the session. */
  by: "password" | "link" | "provider";
  actor: Actor;
}

/**
 * Lets the person in, from the next request on. What others have made for the account ends here, because it would open this
 * organization too: links, and a password unless the person has just shown that it is theirs. Gives the organization; "another's"
 * if the invitation is not for this person.
 */
export async function acceptInvitation(
  client: pg.ClientBase,
  { token, userId, sessionHash, by, actor }: Accepting,
): Promise<{ organizationId: string } | "another's" | undefined> {
  const seen = await findInvitation(client, token);
  await lockOwnAccount(client, { userId, sessionHash }, seen?.invitation_made_by);
  const { rows } = await client.query<{ role: string; is_proven: boolean }>(
    "select role, address_proven_at is not null as is_proven from users where id = $1",
    [userId],
  );
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
    // A link that an admin made does not take the password from somebody who has proven their address.
    const isPasswordTheirs = by === "password" || (by === "link" && rows[0]?.is_proven === true);
    if (!isPasswordTheirs) await forgetPassword(client, userId, actor);
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

/**
 * Whoever made the account may have set its password, and begun to set up an authenticator app of their own. The person chooses a new
 * password: a session by link or by provider asks for no old one.
 */
async function forgetPassword(client: pg.ClientBase, userId: string, actor: Actor): Promise<void> {
  await client.query("delete from second_factors where user_id = $1 and confirmed_at is null", [userId]);
  const { rowCount } = await client.query(
    "update users set password_hash = null where id = $1 and password_hash is not null",
    [userId],
  );
  if (rowCount === 1) await auditAccount(client, userId, { actor, action: "user.remove-password" });
}
