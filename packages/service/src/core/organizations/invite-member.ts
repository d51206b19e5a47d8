import type pg from "pg";
import { writeAudit, type Actor } from "../audit/audit.js";
import { transaction, type Connection } from "../database/transaction.js";
import { InvalidInput } from "../refusals/input-errors.js";
import { uuidv7 } from "../uuidv7.js";
import { auditAccount } from "./audit-account.js";
import type { OnMember } from "./change-member.js";
import { renewInvitation } from "./invitations.js";
import { lockMember, readMember, type Member } from "./members.js";
import { belongsElsewhere } from "./memberships.js";
import { checkEmail } from "./account-email.js";
import { createSignInToken, type LinkMaker } from "./sign-in-links.js";
import { addUser, lockAccount } from "./users.js";

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
  if (!account) throw new InvalidInput(`The account of ${input.email} was removed just now; try again`);
  const memberId = uuidv7();
  const { rowCount } = await client.query(
    `insert into memberships (id, user_id, organization_id, email, role)
     select $1::uuid, $2::uuid, $3::uuid, $4, $5 where $3 is distinct from $6::uuid
     on conflict (user_id, organization_id) do nothing`,
    [memberId, account.id, input.organizationId, input.email, input.role, account.organization_id],
  );
  if (rowCount === 0) throw new InvalidInput(`${input.email} is already a member of this organization`);
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
    if (member.disabledAt) throw new InvalidInput("This person is disabled; enable them first");
    if (isAccepted && !isOperator && (await belongsElsewhere(client, userId, organizationId)))
      throw new InvalidInput(
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
