import type pg from "pg";
import { writeAudit, type Actor } from "../audit/audit.js";
import { auditAccount, lockOwnAccount, type OnOwnAccount, addUser, lockAccount } from "./accounts.js";
import { requireRoomForOneMore, belongsElsewhere } from "./memberships.js";
import { mayStillInvite, signInLinkHours, type LinkMaker, createSignInToken } from "./sign-in-links.js";
import { hashToken, isToken, newToken } from "./secrets.js";
import { transaction, type Connection } from "../database/transaction.js";
import { invalidInput } from "../refusals/user-error.js";
import { uuidv7 } from "../uuidv7.js";
import { type OnMember, lockMember, readMember, type Member } from "./members.js";
import { checkEmail } from "./account-email.js";

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
 * Whoever has no account gets one, and a link that signs them in. Whoever has one is invited with it: the link opens nothing
 * by itself, and whoever invites sees the same in both cases.
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
 * For someone who lost the password, or the invitation. The link signs them in once. Their password, sessions and links stay, so a
 * link made by mistake costs nothing. A link by an admin does not replace a password, because the admin could open it; a link by an
 * operator does. It opens every organization of the person, so only an operator makes one for somebody who has several.
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
