import { TLSSocket } from "node:tls";
import type { Session } from "@gatehouse-parking/contract/console";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import type { Config } from "../../config.js";
import { transaction } from "../../database/transaction.js";
import { changePassword } from "../../organizations/change-password.js";
import { toOrganizationSummary } from "../../organizations/find-organizations.js";
import { ConsoleRefused } from "../../refusals/console-refused.js";
import { configuredPorts } from "../../server/addresses.js";
import { clientAddress } from "../../server/client-address.js";
import { isSecure } from "../../server/https-only.js";
import { readOwnAuthority } from "../../server/tls/own-authority.js";
import { defineConsoleOperation } from "../define-operation.js";
import { findSession, type FoundSession } from "../sessions/find-session.js";
import { clearSessionCookie, sessionToken, setSessionCookie } from "../sessions/session-cookie.js";
import { endSession, openSession, type OpenedSession } from "../sessions/sessions.js";
import { signInByPassword, signInByToken, type Visitor } from "../sessions/sign-in.js";
import { forgetAttempts, throttleAccount, throttleAddress } from "../sessions/throttle.js";

export async function sessionHandlers(
  app: FastifyInstance,
  { pool, config }: { pool: pg.Pool; config: Config },
): Promise<void> {
  const ports = configuredPorts(config);

  defineConsoleOperation(app, "signIn", async ({ body, request, reply }) => {
    await throttleAddress(app, clientAddress(request));
    await throttleAccount(app, body.email);
    const session = await signInByPassword(pool, { ...body, visitor: visitorOf(request) });
    if (!session) throw new ConsoleRefused("signInRefused");
    await forgetAttempts(app, body.email);
    return welcome(request, reply, session);
  });

  defineConsoleOperation(app, "signInByLink", async ({ body, request, reply }) => {
    await throttleAddress(app, clientAddress(request));
    const session = await signInByToken(pool, { ...body, visitor: visitorOf(request) });
    if (!session) throw new ConsoleRefused("linkRefused");
    return welcome(request, reply, session);
  });

  defineConsoleOperation(app, "getSession", ({ request }) =>
    describe(request, sessionToken(request) as string),
  );

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
    return welcome(request, reply, session);
  });

  async function welcome(
    request: FastifyRequest,
    reply: FastifyReply,
    session: OpenedSession,
  ): Promise<Session> {
    setSessionCookie(reply, session.token, session.expiresAt);
    return describe(request, session.token);
  }

  async function current(token: string): Promise<FoundSession> {
    const session = await findSession(pool, token, undefined);
    if (!session) throw new ConsoleRefused("signedOut");
    return session;
  }

  async function describe(request: FastifyRequest, token: string): Promise<Session> {
    const session = await current(token);
    const { id, email, role, hasPassword } = session.person;
    return {
      user: { uuid: id, email, role, hasPassword },
      byLink: session.byLink,
      organization: session.organization ? toOrganizationSummary(session.organization) : null,
      expiresAt: session.expiresAt.toISOString(),
      publicUrl: config.publicUrl ?? null,
      ports: { https: ports.httpsPort, http: ports.httpPort },
      authority: (meetsOwnCertificate(request, config) && (await readOwnAuthority(config))) || null,
    };
  }
}

/** Whether callers who use the address that the pages name reach our own TLS, and not that of a proxy. */
function meetsOwnCertificate(request: FastifyRequest, { publicUrl, httpsPort }: Config): boolean {
  if (publicUrl !== undefined) return Number(new URL(publicUrl).port) === httpsPort;
  return request.raw.socket instanceof TLSSocket || !isSecure(request);
}

function visitorOf(request: FastifyRequest): Visitor {
  return {
    address: clientAddress(request),
    userAgent: request.headers["user-agent"],
    previousToken: sessionToken(request),
  };
}
