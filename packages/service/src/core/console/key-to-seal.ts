import type { FastifyRequest } from "fastify";
import type { SecretKeySource } from "../organizations/secrets.js";
import { UserError } from "../refusals/user-error.js";

/** The key that encrypts secrets. Created if there is none. */
export async function keyToSeal(secretKey: SecretKeySource, request: FastifyRequest): Promise<Buffer> {
  try {
    return await secretKey.findOrMake();
  } catch (error) {
    // Users of the console do not learn where the service stores its files.
    request.log.error({ err: error }, "there is no secret key");
    throw new UserError("conflict", [
      "The service has no key to encrypt secrets with. Its operator must set GATEHOUSE_SECRET_KEY",
    ]);
  }
}
