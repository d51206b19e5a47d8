import type { AnswerOf } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import { transaction } from "../../database/transaction.js";
import { changePassword } from "../../organizations/change-password.js";
import { acceptInvitation, findInvitation } from "../../organizations/invitations.js";
import type { VerifyCode } from "../../organizations/second-factor.js";
import { hashToken } from "../../organizations/secrets.js";
import { UserError } from "../../refusals/user-error.js";
import { clientAddress } from "../../server/client-address.js";
import { defineConsoleOperation } from "../define-operation.js";
import {
  endOtherSessions,
  endOwnSession,
  listOwnSessions,
  endSession,
  openSession,
} from "../sessions/sessions.js";
import { clearSessionCookie, sessionToken } from "../sessions/session-cookie.js";
import { signInByPassword, signInByToken, type SignInChecks } from "../sessions/sign-in.js";
import {
  forgetAttempts,
  forgetOwner,
  shouldAuditCodeRequest,
  throttleAccount,
  throttleAddress,
  throttleOwner,
} from "../sessions/throttle.js";
import { describeSession, visitorOf, welcome, type SignInContext } from "../sessions/welcome.js";

export async function sessionHandlers(
  app: FastifyInstance,
  context: SignInContext & { verifyCode: VerifyCode; provider: AnswerOf<"getSignInWays">["provider"] },
): Promise<void> {
  const { pool: uncheckedPool, verifyCode, provider } = context;
  const checks: SignInChecks = {
    verifyCode,
    shouldAuditCodeRequest: (userId) => shouldAuditCodeRequest(app, userId),
  };

  defineConsoleOperation(app, "signIn", async ({ pool, body, request, reply }) => {
    await throttleAddress(app, clientAddress(request));
    await throttleAccount(app, body.email);
    const session = await signInByPassword(pool, checks, { ...body, visitor: visitorOf(request) });
    if (!session) throw new UserError("signInRefused");
    await forgetAttempts(app, body.email);
    return welcome(context, request, reply, session);
  });

  defineConsoleOperation(app, "signInByLink", async ({ pool, body, request, reply }) => {
    await throttleAddress(app, clientAddress(request));
    const session = await signInByToken(pool, checks, { ...body, visitor: visitorOf(request) });
    if (session) return welcome(context, request, reply, session);
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
      // Another session may have been opened by a link of an admin elsewhere, who was not invited here.
      await endOtherSessions(client, { person, actor, token });
      return result;
    });
    return {
      organizationUuid: accepted.organizationId,
      session: await describeSession(context, request, token),
    };
  });

  defineConsoleOperation(app, "getSignInWays", async () => ({ provider }));

  defineConsoleOperation(app, "getSession", ({ request }) =>
    describeSession(context, request, sessionToken(request) as string),
  );

  defineConsoleOperation(app, "signOut", async ({ request, reply }) => {
    await endSession(uncheckedPool, sessionToken(request) as string);
    clearSessionCookie(reply);
    return reply.code(204).send();
  });

  defineConsoleOperation(app, "listOwnSessions", async ({ pool, person, request }) => ({
    data: await listOwnSessions(pool, { userId: person.id, token: sessionToken(request) as string }),
  }));

  defineConsoleOperation(app, "endOwnSession", async ({ person, actor, params, request, reply }) => {
    const token = sessionToken(request) as string;
    // The session may be this one, so endOwnSession checks it before it ends it.
    await endOwnSession(uncheckedPool, { person, actor, token, sessionId: params.sessionUuid });
    return reply.code(204).send();
  });

  defineConsoleOperation(app, "endOtherSessions", async ({ pool, person, actor, request }) => ({
    ended: await endOtherSessions(pool, { person, actor, token: sessionToken(request) as string }),
  }));

  defineConsoleOperation(app, "changePassword", async ({ body, person, actor, request, reply }) => {
    await throttleOwner(app, person.id);
    // It ends this session too, so changePassword checks the session itself.
    const session = await transaction(uncheckedPool, async (client) => {
      const sessionHash = hashToken(sessionToken(request) as string);
      await changePassword(client, verifyCode, { userId: person.id, sessionHash, actor, ...body });
      const by = person.byProvider ? "provider" : "password";
      // A user with a second factor gets here only after its code was checked.
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
    return welcome(context, request, reply, session);
  });
}
