import { operations } from "@gatehouse-parking/contract";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "../gate/gate.js";
import { settingsLoader } from "../organizations/settings.js";
import { Refused } from "../refusals/refused.js";
import { addVary } from "../server/compression.js";
import { isSecure } from "../server/https-only.js";
import type { ListedOrigins } from "./listed-origins.js";

/**
 * Lead submission is the only endpoint that pages of other origins may call, if the key or its organization
 * lists the origin. Error answers carry the headers too, so that a form can show the errors.
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

  // The gate ran before, so the caller is known.
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
    // Before the key is checked, all that can be known is whether any organization lists the origin. Only the
    // cache is asked, so that a flood of rejected requests causes no queries.
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
