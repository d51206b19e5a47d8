import type { FastifyInstance } from "fastify";
import { defineConsoleOperation, type ConsoleCall } from "../../core/console/define-operation.js";
import { onMember } from "../../core/console/handlers/members.js";
import { keyToSeal } from "../../core/console/key-to-seal.js";
import { endOtherSessions, markCodeChecked } from "../../core/console/sessions/sessions.js";
import { sessionToken } from "../../core/console/sessions/session-cookie.js";
import { forgetOwner, throttleOwner } from "../../core/console/sessions/throttle.js";
import { transaction } from "../../core/database/transaction.js";
import { requireProof } from "../../core/organizations/change-password.js";
import { lockOwnAccount } from "../../core/organizations/accounts.js";
import type { VerifyCode } from "../../core/organizations/second-factor.js";
import { type SecretKeySource, hashToken } from "../../core/organizations/secrets.js";
import {
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  resetMemberSecondFactor,
  showSecondFactor,
  startSecondFactor,
} from "./second-factors.js";

export async function twoFactorHandlers(
  app: FastifyInstance,
  { verifyCode, secretKey }: { verifyCode: VerifyCode; secretKey: SecretKeySource },
): Promise<void> {
  defineConsoleOperation(app, "getSecondFactor", ({ pool, person }) => showSecondFactor(pool, person.id));

  defineConsoleOperation(app, "startSecondFactor", async ({ pool, body, person, request }) => {
    const { id: userId, email } = person;
    await throttleOwner(app, userId);
    const sessionHash = hashToken(sessionToken(request) as string);
    const key = await keyToSeal(secretKey, request);
    const started = await transaction(pool, async (client) => {
      await requireProof(client, verifyCode, { userId, sessionHash, ...body });
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
      const recoveryCodes = await confirmSecondFactor(client, verifyCode, codeOf(call));
      await markCodeChecked(client, token);
      await endOtherSessions(client, { person, actor, token });
      return { recoveryCodes };
    });
  });

  defineConsoleOperation(app, "renewRecoveryCodes", async (call) => ({
    recoveryCodes: await renewRecoveryCodes(call.pool, verifyCode, codeOf(call)),
  }));

  defineConsoleOperation(app, "removeSecondFactor", async (call) => {
    await removeSecondFactor(call.pool, verifyCode, codeOf(call));
    return call.reply.code(204).send();
  });

  defineConsoleOperation(app, "resetSecondFactor", (call) =>
    resetMemberSecondFactor(call.pool, onMember(call)),
  );
}

function codeOf({
  person,
  actor,
  body,
}: ConsoleCall<"confirmSecondFactor" | "renewRecoveryCodes" | "removeSecondFactor">) {
  return { userId: person.id, actor, code: body.code };
}
