import type pg from "pg";
import { changesBetween, writeAudit, type Actor } from "../audit/audit.js";
import { transaction, type Connection } from "../database/transaction.js";
import { requireVersion, InvalidInput } from "../refusals/input-errors.js";
import { lockMember, readMember, standing, type Member } from "./members.js";
import { revokeSessionsWithoutMembership } from "./memberships.js";
import { endLinksMadeBy } from "./sign-in-links.js";
import { resetSecondFactor } from "./second-factor/second-factors.js";

/** Which member of which organization, and who acts. */
export interface OnMember {
  organizationId: string;
  memberId: string;
  actorId: string;
  actor: Actor;
}

/**
 * A new role counts with the next request. To somebody who is disabled the organization is closed at once; whoever belongs to
 * no other is signed out and stays out.
 */
export async function changeMember(
  connection: Connection,
  input: OnMember & {
    role?: "admin" | "viewer" | undefined;
    isDisabled?: boolean | undefined;
    /** Which version was looked at. */
    version?: string | undefined;
  },
): Promise<Member> {
  return transaction(connection, async (client) => {
    const { member: before, userId } = await lockMember(client, input);
    if (userId === input.actorId)
      throw new InvalidInput("You cannot change your own role or disable yourself; ask another admin");
    requireVersion(`The member ${before.email}`, before.version, input.version);
    await setStanding(client, { ...input, userId });
    if (input.isDisabled) await revokeSessionsWithoutMembership(client, userId);
    if (input.isDisabled || input.role === "viewer")
      await endLinksMadeBy(client, userId, input.organizationId);
    const after = await readMember(client, input.organizationId, input.memberId);
    await writeAudit(client, {
      organizationId: input.organizationId,
      actor: input.actor,
      action: "user.update",
      subjectId: input.memberId,
      detail: changesBetween(standing(before), standing(after)),
    });
    return after;
  });
}

/** In whichever of the two tables this membership lies. */
async function setStanding(
  client: pg.ClientBase,
  input: {
    organizationId: string;
    userId: string;
    role?: "admin" | "viewer" | undefined;
    isDisabled?: boolean | undefined;
  },
): Promise<void> {
  for (const [table, person] of [
    ["users", "id"],
    ["memberships", "user_id"],
  ])
    await client.query(
      `update ${table} set role = coalesce($3, role),
         disabled_at = case when $4::boolean is null then disabled_at when $4 then coalesce(disabled_at, now()) end
       where organization_id = $1 and ${person} = $2`,
      [input.organizationId, input.userId, input.role ?? null, input.isDisabled ?? null],
    );
}

/** For somebody who has lost their authenticator and their recovery codes. Operators do this: it is about the account. */
export async function resetMemberSecondFactor(connection: Connection, input: OnMember): Promise<Member> {
  return transaction(connection, async (client) => {
    const { userId, isAccepted } = await lockMember(client, input);
    if (!isAccepted) throw new InvalidInput("This person has not accepted the invitation yet");
    await resetSecondFactor(client, { userId, actor: input.actor });
    return readMember(client, input.organizationId, input.memberId);
  });
}
