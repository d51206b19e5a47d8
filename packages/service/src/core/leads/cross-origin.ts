import { operations } from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../gate/gate.js";
import { settingsLoader } from "../organizations/settings.js";
import { Refused } from "../refusals/refused.js";
import { addVary } from "../server/compression.js";
import { isSecure } from "../server/https-only.js";
import type { ListedOrigins } from "./listed-origins.js";

/**
 * Lead submission is the one endpoint that pages of other origins may call, and only those that are listed for the
 * key or its organization. Its refusals carry the headers as well, or a form could not show what is wrong.
 */
const preflightSeconds = 600;
const exposedHeaders =
  "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After, X-Request-Id, X-Error";
const allowedHeaders = "Content-Type, X-API-KEY, Idempotency-Key";

export interface CrossOriginOptions {
  origins: ListedOrigins;
  allowPlainHttp: boolean;
}

/** Adds its hooks to the given scope, whose only operation is lead submission. */
export function allowListedOrigins(
  scope: FastifyInstance,
  { origins, allowPlainHttp }: CrossOriginOptions,
): void {
  const toSettings = settingsLoader("leads");
  const isListed = ({ leadOrigins, organization }: Caller, origin: string): boolean =>
    leadOrigins.includes(origin) || toSettings(organization).leadOrigins.includes(origin);

  // The gate has run before: the caller is known.
  scope.addHook("onRequest", async (request) => {
    const { origin } = request.headers;
    if (!request.routeOptions.config.operation || origin === undefined) return;
    if (isListed(request.caller, origin)) origins.remember(origin);
    else if (origin !== ownOrigin(request)) throw new Refused("originRefused");
  });

  scope.addHook("onSend", async (request, reply, payload) => {
    addVary(reply, "Origin");
    const { origin } = request.headers;
    if (origin === undefined || !request.routeOptions.config.operation) return payload;
    // Before the key was looked at, all that is known is whether anybody listed the origin; and only from memory, so
    // that a flood of refused requests stays away from the database.
    const mayRead = request.caller ? isListed(request.caller, origin) : origins.isRemembered(origin);
    if (mayRead)
      void reply.headers({
        "access-control-allow-origin": origin,
        "access-control-expose-headers": exposedHeaders,
      });
    return payload;
  });

  scope.route({
    method: "OPTIONS",
    url: operations.submitLead.path,
    config: { access: "public" },
    schema: { hide: true },
    handler: answerPreflight,
  });

  async function answerPreflight(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!allowPlainHttp && !isSecure(request)) throw new Refused("httpsRequired");
    const { origin } = request.headers;
    if (origin === undefined || request.headers["access-control-request-method"] === undefined)
      throw new Refused("methodNotAllowed", { headers: { allow: operations.submitLead.method } });
    if (!(await origins.isListed(origin))) throw new Refused("originRefused");
    return reply
      .code(204)
      .headers({
        "access-control-allow-origin": origin,
        "access-control-allow-methods": operations.submitLead.method,
        "access-control-allow-headers": allowedHeaders,
        "access-control-max-age": String(preflightSeconds),
      })
      .send();
  }
}

function ownOrigin(request: FastifyRequest): string {
  return `${request.protocol}://${request.host}`;
}
