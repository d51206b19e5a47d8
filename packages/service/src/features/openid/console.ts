import { createHash } from "node:crypto";
import type { RateLimit } from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { defineConsoleOperation } from "../../core/console/define-operation.js";
import { throttleAddress } from "../../core/console/sessions/throttle.js";
import { visitorOf, welcome, type SignInContext } from "../../core/console/sessions/welcome.js";
import { isUserError, UserError } from "../../core/refusals/user-error.js";
import { clientAddress } from "../../core/server/client-address.js";
import { signInByIdentity } from "./identities.js";
import { pendingSeconds, setPending, takePending } from "./pending-cookie.js";
import type { Provider } from "./provider.js";

/** Each answer of the provider is accepted once, even if the provider accepts a code twice. */
const answersAccepted: RateLimit = { requests: 1, windowSeconds: pendingSeconds, per: "address" };

export async function openIdHandlers(
  app: FastifyInstance,
  { provider, context }: { provider: Provider | undefined; context: SignInContext },
): Promise<void> {
  defineConsoleOperation(app, "startProviderSignIn", async ({ request, reply }) => {
    if (!provider) throw new UserError("notFound");
    await throttleAddress(app, clientAddress(request));
    const { address, pending } = await logFailure(request, provider.begin());
    setPending(reply, pending);
    return { address };
  });

  defineConsoleOperation(app, "signInByProvider", async ({ pool, body, request, reply }) => {
    if (!provider) throw new UserError("notFound");
    await throttleAddress(app, clientAddress(request));
    const pending = takePending(request, reply);
    if (!pending) throw startAgain();
    const identity = await logFailure(request, provider.finish(body.answer, pending));
    if (!(await isFirstAnswer(app, pending.state))) throw startAgain();
    const session = await signInByIdentity(pool, { identity, visitor: visitorOf(request) });
    if (!session)
      throw new UserError("providerRefused", [
        "Your email address has no invitation. Ask an admin of your organization",
      ]);
    return welcome(context, request, reply, session);
  });
}

/** Logs the cause of a failed sign-in for the operator. The answer only says what to do next. */
async function logFailure<T>(request: FastifyRequest, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isUserError(error, "providerRefused", "unavailable"))
      request.log.warn({ reason: (error.cause as Error).message }, "sign-in with the provider failed");
    throw error;
  }
}

async function isFirstAnswer(app: FastifyInstance, state: string): Promise<boolean> {
  const bucket = `consoleProvider:${createHash("sha256").update(state).digest("base64url")}`;
  return (await app.rateLimiter.take(bucket, answersAccepted)).accepted;
}

function startAgain(): UserError {
  return new UserError("providerRefused", ["Start again from the sign-in page"]);
}
