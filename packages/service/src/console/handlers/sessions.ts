import type { Session } from "@gatehouse-parking/contract/console";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import { transaction } from "../../database/transaction.js";
import { changePassword } from "../../organizations/change-password.js";
import { toOrganizationSummary } from "../../organizations/find-organizations.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import { clientAddress } from "../../server/client-address.js";
import { defineConsoleOperation } from "../define-operation.js";
import { findSession, type FoundSession } from "../sessions/find-session.js";
import { clearSessionCookie, sessionToken, setSessionCookie } from "../sessions/session-cookie.js";
import { endSession, openSession, type OpenedSession } from "../sessions/sessions.js";
import { signInByPassword, signInByToken, type Visitor } from "../sessions/sign-in.js";
import { forgetAttempts, throttleAccount, throttleAddress } from "../sessions/throttle.js";

export async function sessionHandlers(
  app: FastifyInstance,
  { pool, publicUrl }: { pool: pg.Pool; publicUrl: string | undefined },
): Promise<void> {
  defineConsoleOperation(app, "signIn", async ({ body, request, reply }) => {
    await throttleAddress(app, clientAddress(request));
    await throttleAccount(app, body.email);
    const session = await signInByPassword(pool, { ...body, visitor: visitorOf(request) });
    if (!session) throw new ConsoleRefused("signInRefused");
    await forgetAttempts(app, body.email);
    return welcome(reply, session);
  });

  defineConsoleOperation(app, "signInByLink", async ({ body, request, reply }) => {
    await throttleAddress(app, clientAddress(request));
    const session = await signInByToken(pool, { ...body, visitor: visitorOf(request) });
    if (!session) throw new ConsoleRefused("linkRefused");
    return welcome(reply, session);
  });

  defineConsoleOperation(app, "getSession", ({ request }) => describe(sessionToken(request) as string));

  defineConsoleOperation(app, "signOut", async ({ request, reply }) => {
    await endSession(pool, sessionToken(request) as string);
    clearSessionCookie(reply);
    return reply.code(204).send();
  });

  defineConsoleOperation(app, "changePassword", async ({ body, person, actor, request, reply }) => {
    // The current password can be guessed here as well as at the door.
    await throttleAddress(app, clientAddress(request));
    await throttleAccount(app, person.email);
    const { byLink } = await current(sessionToken(request) as string);
    const session = await transaction(pool, async (client) => {
      await changePassword(client, { userId: person.id, byLink, actor, ...body });
      return openSession(client, { userId: person.id, ...visitorOf(request) });
    });
    return welcome(reply, session);
  });

  async function welcome(reply: FastifyReply, session: OpenedSession): Promise<Session> {
    setSessionCookie(reply, session.token, session.expiresAt);
    return describe(session.token);
  }

  async function current(token: string): Promise<FoundSession> {
    const session = await findSession(pool, token, undefined);
    if (!session) throw new ConsoleRefused("signedOut");
    return session;
  }

  async function describe(token: string): Promise<Session> {
    const session = await current(token);
    const { id, email, role, hasPassword } = session.person;
    return {
      user: { uuid: id, email, role, hasPassword },
      byLink: session.byLink,
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
