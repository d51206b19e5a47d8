import { TLSSocket } from "node:tls";
import type { Session } from "@gatehouse-parking/contract/console";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import type { Config } from "../../config.js";
import { transaction } from "../../database/transaction.js";
import { changePassword } from "../../organizations/change-password.js";
import { listOwnOrganizations } from "../../organizations/find-organizations.js";
import { acceptInvitation, findInvitation } from "../../organizations/invitations.js";
import type { SecretKeySource } from "../../organizations/secret-key.js";
import { hashToken } from "../../organizations/tokens.js";
import { UserError } from "../../refusals/user-error.js";
import { clientAddress } from "../../server/client-address.js";
import { isSecure } from "../../server/https-only.js";
import { readOwnAuthority } from "../../server/tls/choose-certificate.js";
import { defineConsoleOperation } from "../define-operation.js";
import { setPending, takePending } from "../provider/pending-cookie.js";
import { configuredProvider, ProviderAnswerRefused, ProviderUnreachable } from "../provider/provider.js";
import { findSession, type FoundSession } from "../sessions/find-session.js";
import { endOtherSessions } from "../sessions/own-sessions.js";
import { clearSessionCookie, sessionToken, setSessionCookie } from "../sessions/session-cookie.js";
import { endSession, openSession, type OpenedSession } from "../sessions/sessions.js";
import { signInByIdentity, signInByPassword, signInByToken, type Visitor } from "../sessions/sign-in.js";
import {
  doorGuard,
  forgetAttempts,
  forgetOwner,
  isFirstAnswer,
  throttleAccount,
  throttleAddress,
  throttleOwner,
} from "../sessions/throttle.js";

export async function sessionHandlers(
  app: FastifyInstance,
  {
    uncheckedPool,
    config,
    secretKey,
    features,
  }: {
    uncheckedPool: pg.Pool;
    config: Config;
    secretKey: SecretKeySource;
    features: readonly string[];
  },
): Promise<void> {
  const provider = await configuredProvider(config);
  const guard = doorGuard(app, secretKey);

  defineConsoleOperation(app, "signIn", async ({ pool, body, request, reply }) => {
    await throttleAddress(app, clientAddress(request));
    await throttleAccount(app, body.email);
    const session = await signInByPassword(pool, guard, { ...body, visitor: visitorOf(request) });
    if (!session) throw new UserError("signInRefused");
    await forgetAttempts(app, body.email);
    return welcome(request, reply, session);
  });

  defineConsoleOperation(app, "signInByLink", async ({ pool, body, request, reply }) => {
    await throttleAddress(app, clientAddress(request));
    const session = await signInByToken(pool, guard, { ...body, visitor: visitorOf(request) });
    if (session) return welcome(request, reply, session);
    const isInvitation = (await findInvitation(pool, body.token)) !== undefined;
    throw new UserError(isInvitation ? "invitationOfAccount" : "linkRefused");
  });

  defineConsoleOperation(app, "acceptInvitation", async ({ pool, body, person, actor, request }) => {
    await throttleAddress(app, clientAddress(request));
    const token = sessionToken(request) as string;
    const accepted = await transaction(pool, async (client) => {
      const result = await acceptInvitation(client, {
        token: body.token,
        userId: person.id,
        sessionHash: hashToken(token),
        by: person.byProvider ? "provider" : person.byLink ? "link" : "password",
        actor,
      });
      if (result === undefined) throw new UserError("linkRefused");
      if (result === "another's") throw new UserError("invitationOfAccount");
      // Whoever else has one open, by a link that an admin of the other organization made, was not invited here.
      await endOtherSessions(client, { person, actor, token });
      return result;
    });
    return { organizationUuid: accepted.organizationId, session: await describe(request, token) };
  });

  defineConsoleOperation(app, "getSignInWays", async () => ({
    provider: provider ? { name: provider.name } : null,
  }));

  defineConsoleOperation(app, "startProviderSignIn", async ({ request, reply }) => {
    if (!provider) throw new UserError("notFound");
    await throttleAddress(app, clientAddress(request));
    const { address, pending } = await refusing(request, provider.begin());
    setPending(reply, pending);
    return { address };
  });

  defineConsoleOperation(app, "signInByProvider", async ({ pool, body, request, reply }) => {
    if (!provider) throw new UserError("notFound");
    await throttleAddress(app, clientAddress(request));
    const pending = takePending(request, reply);
    if (!pending) throw new UserError("providerRefused", ["Start again from the sign-in page"]);
    const identity = await refusing(request, provider.finish(body.answer, pending));
    if (!(await isFirstAnswer(app, pending.state)))
      throw new UserError("providerRefused", ["Start again from the sign-in page"]);
    const session = await signInByIdentity(pool, { identity, visitor: visitorOf(request) });
    if (!session)
      throw new UserError("providerRefused", [
        "Nobody with your e-mail address was invited. Ask an admin of your organization",
      ]);
    return welcome(request, reply, session);
  });

  defineConsoleOperation(app, "getSession", ({ request }) =>
    describe(request, sessionToken(request) as string),
  );

  defineConsoleOperation(app, "signOut", async ({ request, reply }) => {
    await endSession(uncheckedPool, sessionToken(request) as string);
    clearSessionCookie(reply);
    return reply.code(204).send();
  });

  defineConsoleOperation(app, "changePassword", async ({ body, person, actor, request, reply }) => {
    await throttleOwner(app, person.id);
    // It ends this session too, so it checks by itself that the session is there.
    const session = await transaction(uncheckedPool, async (client) => {
      const sessionHash = hashToken(sessionToken(request) as string);
      await changePassword(client, guard, { userId: person.id, sessionHash, actor, ...body });
      const by = person.byProvider ? "provider" : "password";
      // A person with a second factor gets here only after its code was checked.
      const isCodeChecked = person.hasSecondFactor && !person.byProvider;
      return openSession(client, {
        userId: person.id,
        ...visitorOf(request),
        by,
        isCodeChecked,
        isProven: true,
      });
    });
    await forgetOwner(app, person.id);
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
    const session = await findSession(uncheckedPool, token, undefined);
    if (!session) throw new UserError("signedOut");
    return session;
  }

  async function describe(request: FastifyRequest, token: string): Promise<Session> {
    const session = await current(token);
    const { id, email, role, hasPassword, hasSecondFactor } = session.person;
    const isOperator = role === "operator";
    return {
      user: { uuid: id, email, isOperator, hasPassword, hasSecondFactor },
      byLink: session.person.byLink,
      byProvider: session.person.byProvider,
      organizations: isOperator ? [] : await listOwnOrganizations(uncheckedPool, id),
      expiresAt: session.expiresAt.toISOString(),
      publicUrl: config.publicUrl ?? null,
      ports: { https: app.ports.httpsPort, http: app.ports.httpPort },
      authority: (meetsOwnCertificate(request, config) && (await readOwnAuthority(config))) || null,
      features: [...features],
    };
  }
}

/** What goes wrong with a provider is for the operator's log; whoever signs in learns what to do. */
async function refusing<T>(request: FastifyRequest, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isAnswer = error instanceof ProviderAnswerRefused;
    if (!isAnswer && !(error instanceof ProviderUnreachable)) throw error;
    request.log.warn({ reason: error.message }, "signing in with the provider failed");
    if (isAnswer) throw new UserError("providerRefused", ["Start again from the sign-in page"]);
    throw new UserError("unavailable", ["The sign-in provider cannot be reached"]);
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
