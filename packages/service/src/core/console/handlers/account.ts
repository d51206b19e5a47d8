import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { transaction } from "../../database/transaction.js";
import { requireProof } from "../../organizations/change-password.js";
import { lockOwnAccount } from "../../organizations/lock-account.js";
import {
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  showSecondFactor,
  startSecondFactor,
} from "../../organizations/second-factor/second-factors.js";
import type { SecretKeySource } from "../../organizations/secret-key.js";
import { defineConsoleOperation, type ConsoleCall } from "../define-operation.js";
import { keyToSeal } from "../key-to-seal.js";
import { endOtherSessions, endOwnSession, listOwnSessions } from "../sessions/own-sessions.js";
import { sessionToken } from "../sessions/session-cookie.js";
import { noteCodeChecked } from "../sessions/sessions.js";
import { hashToken } from "../../organizations/tokens.js";
import { codeGuard, forgetOwner, throttleOwner } from "../sessions/throttle.js";

/** What people do about their own sign-in. */
export async function accountHandlers(
  app: FastifyInstance,
  { uncheckedPool, secretKey }: { uncheckedPool: pg.Pool; secretKey: SecretKeySource },
): Promise<void> {
  // A session that somebody else got hold of could be used to try codes, so they count here as at the door.
  const guard = codeGuard(app, secretKey);

  defineConsoleOperation(app, "listOwnSessions", async ({ pool, person, request }) => ({
    data: await listOwnSessions(pool, { userId: person.id, token: sessionToken(request) as string }),
  }));

  defineConsoleOperation(app, "endOwnSession", async ({ person, actor, params, request, reply }) => {
    const token = sessionToken(request) as string;
    // The session may be this one, so endOwnSession checks that it is there before it ends it.
    await endOwnSession(uncheckedPool, { person, actor, token, sessionId: params.sessionUuid });
    return reply.code(204).send();
  });

  defineConsoleOperation(app, "endOtherSessions", async ({ pool, person, actor, request }) => ({
    ended: await endOtherSessions(pool, { person, actor, token: sessionToken(request) as string }),
  }));

  defineConsoleOperation(app, "getSecondFactor", ({ pool, person }) => showSecondFactor(pool, person.id));

  defineConsoleOperation(app, "startSecondFactor", async ({ pool, body, person, request }) => {
    const { id: userId, email } = person;
    await throttleOwner(app, userId);
    const sessionHash = hashToken(sessionToken(request) as string);
    const key = await keyToSeal(secretKey, request);
    const started = await transaction(pool, async (client) => {
      await requireProof(client, guard, { userId, sessionHash, ...body });
      return startSecondFactor(client, key, { userId, email });
    });
    await forgetOwner(app, userId);
    return started;
  });

  defineConsoleOperation(app, "confirmSecondFactor", async (call) => {
    const { person, actor, request } = call;
    const token = sessionToken(request) as string;
    return transaction(call.pool, async (client) => {
      await lockOwnAccount(client, { userId: person.id, sessionHash: hashToken(token) });
      const recoveryCodes = await confirmSecondFactor(client, guard, codeOf(call));
      await noteCodeChecked(client, token);
      await endOtherSessions(client, { person, actor, token });
      return { recoveryCodes };
    });
  });

  defineConsoleOperation(app, "renewRecoveryCodes", async (call) => ({
    recoveryCodes: await renewRecoveryCodes(call.pool, guard, codeOf(call)),
  }));

  defineConsoleOperation(app, "removeSecondFactor", async (call) => {
    await removeSecondFactor(call.pool, guard, codeOf(call));
    return call.reply.code(204).send();
  });
}

function codeOf({
  person,
  actor,
  body,
}: ConsoleCall<"confirmSecondFactor" | "renewRecoveryCodes" | "removeSecondFactor">) {
  return { userId: person.id, actor, code: body.code };
}
