import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import { clientAddress } from "../../server/client-address.js";
import { changePassword } from "../../organizations/change-password.js";
import { transaction } from "../../database/transaction.js";
import { defineRoute } from "../access.js";
import type { Session } from "@gatehouse-parking/contract/console";
import { readBody } from "../body.js";
import { toOrganizationSummary } from "../../organizations/find-organizations.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import { findSession } from "../sessions/find-session.js";
import { clearSessionCookie, sessionToken, setSessionCookie } from "../sessions/session-cookie.js";
import { endSession, openSession, type OpenedSession } from "../sessions/sessions.js";
import { signInByPassword, signInByToken, type Visitor } from "../sessions/sign-in.js";
import { forgetAttempts, throttleAccount, throttleAddress } from "../sessions/throttle.js";

export async function sessionRoutes(
  app: FastifyInstance,
  { pool, publicUrl }: { pool: pg.Pool; publicUrl: string | undefined },
): Promise<void> {
  defineRoute(app, "signIn", async (request, reply) => {
    const body = readBody(request);
    const email = body.text("email");
    const password = body.text("password");
    body.check();
    await throttleAddress(app, clientAddress(request));
    await throttleAccount(app, email);
    const session = await signInByPassword(pool, { email, password, visitor: visitorOf(request) });
    if (!session) throw new ConsoleRefused("signInRefused");
    await forgetAttempts(app, email);
    return welcome(reply, session);
  });

  defineRoute(app, "signInByLink", async (request, reply) => {
    const body = readBody(request);
    const token = body.text("token");
    body.check();
    await throttleAddress(app, clientAddress(request));
    const session = await signInByToken(pool, { token, visitor: visitorOf(request) });
    if (!session) throw new ConsoleRefused("linkRefused");
    return welcome(reply, session);
  });

  defineRoute(app, "getSession", async (request) => describe(sessionToken(request) as string));

  defineRoute(app, "signOut", async (request, reply) => {
    await endSession(pool, sessionToken(request) as string);
    clearSessionCookie(reply);
    return reply.code(204).send();
  });

  defineRoute(app, "changePassword", async (request, reply) => {
    const body = readBody(request);
    const currentPassword = body.optionalText("currentPassword");
    const newPassword = body.text("newPassword");
    body.check();
    // The current password can be guessed here as well as at the door.
    await throttleAddress(app, clientAddress(request));
    await throttleAccount(app, request.person.email);
    const session = await transaction(pool, async (client) => {
      await changePassword(client, {
        userId: request.person.id,
        currentPassword,
        newPassword,
        actor: request.person.email,
      });
      return openSession(client, { userId: request.person.id, ...visitorOf(request) });
    });
    return welcome(reply, session);
  });

  async function welcome(reply: FastifyReply, session: OpenedSession): Promise<Session> {
    setSessionCookie(reply, session.token, session.expiresAt);
    return describe(session.token);
  }

  async function describe(token: string): Promise<Session> {
    const session = await findSession(pool, token, undefined);
    if (!session) throw new ConsoleRefused("signedOut");
    const { id, email, role, hasPassword } = session.person;
    return {
      user: { uuid: id, email, role, hasPassword },
      organization: session.organization ? toOrganizationSummary(session.organization) : null,
      expiresAt: session.expiresAt.toISOString(),
      publicUrl: publicUrl ?? null,
    };
  }
}

function visitorOf(request: FastifyRequest): Visitor {
  return {
    address: clientAddress(request),
    userAgent: request.headers["user-agent"],
    previousToken: sessionToken(request),
  };
}
