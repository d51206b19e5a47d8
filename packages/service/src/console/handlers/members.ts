import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { nowMs } from "../../clock.js";
import {
  changeMember,
  inviteMember,
  listMembers,
  resetMember,
  type InvitedMember,
} from "../../organizations/members.js";
import { signInAddress, signInLinkHours } from "../../organizations/sign-in-links.js";
import { defineRoute } from "../access.js";
import type { Invitation } from "@gatehouse-parking/contract/console";
import { readBody } from "../body.js";
import { uuidParameter } from "../parameters.js";

const memberRoles = ["admin", "viewer"] as const;

export async function memberRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  defineRoute(app, "listMembers", async (request) => ({
    data: await listMembers(pool, request.organization.id),
  }));

  defineRoute(app, "inviteMember", async (request) => {
    const body = readBody(request);
    const email = body.text("email");
    const role = body.oneOf("role", memberRoles);
    body.check();
    const invited = await inviteMember(pool, {
      organizationId: request.organization.id,
      email,
      role,
      actor: request.person.email,
    });
    return toInvitation(invited);
  });

  defineRoute(app, "changeMember", async (request) => {
    const body = readBody(request);
    const role = body.optionalOneOf("role", memberRoles);
    const isDisabled = body.optionalFlag("disabled");
    body.check();
    return changeMember(pool, {
      organizationId: request.organization.id,
      userId: uuidParameter(request, "userUuid"),
      role,
      isDisabled,
      actorId: request.person.id,
      actor: request.person.email,
    });
  });

  defineRoute(app, "resetMember", async (request) =>
    toInvitation(
      await resetMember(pool, {
        organizationId: request.organization.id,
        userId: uuidParameter(request, "userUuid"),
        actor: request.person.email,
      }),
    ),
  );
}

/** The page knows its own origin, so the link is given without one. */
function toInvitation({ member, signInToken }: InvitedMember): Invitation {
  const expiresAt = new Date(nowMs() + signInLinkHours * 3_600_000).toISOString();
  return { member, link: { path: signInAddress("", signInToken), expiresAt } };
}
