import type { Invitation } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { nowMs } from "../../clock.js";
import {
  changeMember,
  createMemberLink,
  inviteMember,
  listMembers,
  resetMemberSecondFactor,
  type InvitedMember,
} from "../../organizations/members.js";
import { signInAddress, signInLinkHours } from "../../organizations/sign-in-links.js";
import { defineConsoleOperation } from "../define-operation.js";

export async function memberHandlers(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineConsoleOperation(app, "listMembers", async ({ organizationId }) => ({
    data: await listMembers(pool, organizationId),
  }));

  defineConsoleOperation(app, "inviteMember", async ({ organizationId, actor, body }) =>
    toInvitation(await inviteMember(pool, { organizationId, actor, ...body })),
  );

  defineConsoleOperation(app, "changeMember", ({ organizationId, actor, person, params, body }) =>
    changeMember(pool, {
      organizationId,
      userId: params.userUuid,
      role: body.role,
      isDisabled: body.disabled,
      version: body.version,
      actorId: person.id,
      actor,
    }),
  );

  defineConsoleOperation(app, "createSignInLink", async ({ organizationId, actor, params }) =>
    toInvitation(await createMemberLink(pool, { organizationId, userId: params.userUuid, actor })),
  );

  defineConsoleOperation(app, "resetSecondFactor", ({ organizationId, actor, params }) =>
    resetMemberSecondFactor(pool, { organizationId, userId: params.userUuid, actor }),
  );
}

/** The page knows its own origin, so the link is given without one. */
function toInvitation({ member, signInToken }: InvitedMember): Invitation {
  const expiresAt = new Date(nowMs() + signInLinkHours * 3_600_000).toISOString();
  return { member, link: { path: signInAddress("", signInToken), expiresAt } };
}
