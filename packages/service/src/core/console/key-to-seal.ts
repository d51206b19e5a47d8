import type { FastifyRequest } from "fastify";
import type { SecretKeySource } from "../organizations/secrets.js";
import { UserError } from "../refusals/user-error.js";

/** The key to store a secret with; it is made if there is none. */
export async function keyToSeal(secretKey: SecretKeySource, request: FastifyRequest): Promise<Buffer> {
  try {
    return await secretKey.findOrMake();
  } catch (error) {
    // Where the service keeps its files is no business of whoever uses it.
    request.log.error({ err: error }, "there is no secret key");
    throw new UserError("conflict", [
      "The service has no key to encrypt secrets with. Its operator must set GATEHOUSE_SECRET_KEY",
    ]);
  }
}
