import type pg from "pg";
import { writeAudit, type Actor } from "../audit/audit.js";
import { auditAccount, lockOwnAccount, type OnOwnAccount, addUser, lockAccount } from "./accounts.js";
import { requireMembershipLimit, belongsElsewhere } from "./memberships.js";
import { mayStillInvite, signInLinkHours, type LinkMaker, createSignInToken } from "./sign-in-links.js";
import { hashToken, isToken, newToken } from "./secrets.js";
import { transaction, type Connection } from "../database/transaction.js";
import { invalidInput } from "../refusals/user-error.js";
import { uuidv7 } from "../uuidv7.js";
import { type OnMember, lockMember, readMember, type Member } from "./members.js";
import { checkEmail } from "./account-email.js";

/**
 * The invitation of a user who has an account. Accepting takes a session of that account, which the inviter does
 * not have, and the link, which another user of the account does not have.
 */
interface Invitation {
  id: string;
  user_id: string;
  organization_id: string;
  role: "admin" | "viewer";
  invitation_made_by: string | null;
}

/**
 * Replaces the token. The database stores its SHA-256, and the maker together with it, because release 1.1.0 renews
 * invitations without changing the maker.
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

/** Undefined if it was used, renewed, revoked or has expired, or its maker may no longer invite users. */
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
 * Opens the organization from the next request on. Links end, and so does a password that the user has not just
 * proven, because others may have made them and they would open this organization too. Returns "another's" if the
 * invitation is for another user.
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
  // An operator sees the organization anyway. As a member they would keep access after being disabled.
  if (isOperator) await client.query("delete from memberships where id = $1", [id]);
  else {
    await requireMembershipLimit(client, userId);
    await client.query(
      `update memberships set accepted_at = now(), invitation_hash = null, invitation_expires_at = null
       where id = $1`,
      [id],
    );
    await client.query("delete from sign_in_links where user_id = $1", [userId]);
    // A link from an admin does not remove the password of a user whose address is proven.
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
 * The creator of the account may have set its password and started to set up an authenticator app. The user can
 * choose a new password, because a session by link or provider needs no old one.
 */
async function forgetPassword(client: pg.ClientBase, userId: string, actor: Actor): Promise<void> {
  await client.query("delete from second_factors where user_id = $1 and confirmed_at is null", [userId]);
  const { rowCount } = await client.query(
    "update users set password_hash = null where id = $1 and password_hash is not null",
    [userId],
  );
  if (rowCount === 1) await auditAccount(client, userId, { actor, action: "user.remove-password" });
}

/** The token goes into a one-time link and is shown once. */
export interface InvitedMember {
  member: Member;
  signInToken: string;
}

interface Inviting {
  organizationId: string;
  email: string;
  role: "admin" | "viewer";
  maker: LinkMaker;
  actor: Actor;
}

/**
 * Without an account, the user gets one and a link that signs them in. With an account, the link alone opens
 * nothing. The inviter sees the same in both cases.
 */
export async function inviteMember(connection: Connection, input: Inviting): Promise<InvitedMember> {
  const email = checkEmail(input.email);
  return transaction(connection, async (client) => {
    const { organizationId, maker } = input;
    const made = await addUser(client, { ...input, email, passwordHash: null, isAddressProven: false });
    const memberId = made?.uuid ?? (await inviteAccount(client, { ...input, email }));
    return {
      member: await readMember(client, organizationId, memberId),
      signInToken: made
        ? await createSignInToken(client, made.uuid, maker)
        : await renewInvitation(client, { organizationId, id: memberId, maker }),
    };
  });
}

async function inviteAccount(client: pg.ClientBase, input: Inviting): Promise<string> {
  const account = await lockAccount(client, input.email);
  if (!account) throw invalidInput(`The account of ${input.email} was removed just now; try again`);
  const memberId = uuidv7();
  const { rowCount } = await client.query(
    `insert into memberships (id, user_id, organization_id, email, role)
     select $1::uuid, $2::uuid, $3::uuid, $4, $5 where $3 is distinct from $6::uuid
     on conflict (user_id, organization_id) do nothing`,
    [memberId, account.id, input.organizationId, input.email, input.role, account.organization_id],
  );
  if (rowCount === 0) throw invalidInput(`${input.email} is already a member of this organization`);
  await writeAudit(client, {
    organizationId: input.organizationId,
    actor: input.actor,
    action: "user.create",
    subjectId: memberId,
    detail: { email: input.email, role: input.role },
  });
  return memberId;
}

/**
 * For a member who lost the password or the invitation. The link signs in once. Password, sessions and other links
 * stay, so a link made by mistake does no harm. Only an operator's link replaces the password, because an admin
 * could open their own link. A link opens all organizations of the user, so only an operator makes one for a user
 * who has several.
 */
export async function createMemberLink(
  connection: Connection,
  input: OnMember & { isOperator: boolean },
): Promise<InvitedMember> {
  return transaction(connection, async (client) => {
    const { organizationId, memberId, actorId, isOperator } = input;
    const maker = { id: actorId, isOperator, organizationId };
    const { member, userId, isAccepted } = await lockMember(client, input);
    if (member.disabledAt) throw invalidInput("This person is disabled; enable them first");
    if (isAccepted && !isOperator && (await belongsElsewhere(client, userId, organizationId)))
      throw invalidInput(
        `${member.email} belongs to another organization as well, which a link would open. Ask an operator of the service`,
      );
    const signInToken = isAccepted
      ? await createSignInToken(client, userId, maker)
      : await renewInvitation(client, { organizationId, id: memberId, maker });
    // A link to an account opens every organization of it, and an invitation only this one.
    const entry = { actor: input.actor, action: "user.create-sign-in-link" };
    if (isAccepted) await auditAccount(client, userId, entry);
    else await writeAudit(client, { ...entry, organizationId, subjectId: memberId });
    return { member: await readMember(client, organizationId, memberId), signInToken };
  });
}
