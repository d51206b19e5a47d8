import type { Invitation } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import { nowMs } from "../../clock.js";
import type { Feature } from "../../feature.js";
import { changeMember, type OnMember, listMembers } from "../../organizations/members.js";
import { createMemberLink, inviteMember, type InvitedMember } from "../../organizations/invitations.js";
import { removeMember } from "../../organizations/membership-changes.js";
import { signInAddress, signInLinkHours } from "../../organizations/sign-in-links.js";
import { defineConsoleOperation, type ConsoleCall } from "../define-operation.js";

export async function memberHandlers(
  app: FastifyInstance,
  { features }: { features: readonly Feature[] },
): Promise<void> {
  defineConsoleOperation(app, "listMembers", async ({ pool, organizationId }) => ({
    data: await listMembers(pool, organizationId),
  }));

  defineConsoleOperation(app, "inviteMember", async ({ pool, organizationId, person, actor, body }) => {
    const maker = { id: person.id, isOperator: person.role === "operator", organizationId };
    return toInvitation(await inviteMember(pool, { organizationId, maker, actor, ...body }));
  });

  defineConsoleOperation(app, "changeMember", ({ pool, body: { role, disabled, version }, ...call }) =>
    changeMember(pool, { ...onMember(call), role, isDisabled: disabled, version }),
  );

  defineConsoleOperation(app, "removeMember", async (call) => {
    await removeMember(call.pool, { ...onMember(call), features });
    return call.reply.code(204).send();
  });

  defineConsoleOperation(app, "createSignInLink", async (call) =>
    toInvitation(
      await createMemberLink(call.pool, { ...onMember(call), isOperator: call.person.role === "operator" }),
    ),
  );
}

export function onMember({
  organizationId,
  params,
  person,
  actor,
}: Pick<ConsoleCall<"changeMember">, "organizationId" | "params" | "person" | "actor">): OnMember {
  return { organizationId, memberId: params.userUuid, actorId: person.id, actor };
}

/** The page knows its origin, so the link is returned without one. */
function toInvitation({ member, signInToken }: InvitedMember): Invitation {
  const expiresAt = new Date(nowMs() + signInLinkHours * 3_600_000).toISOString();
  return { member, link: { path: signInAddress("", signInToken), expiresAt } };
}
