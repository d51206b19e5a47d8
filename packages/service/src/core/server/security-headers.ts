import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import fastifyPlugin from "fastify-plugin";
import helmet from "helmet";
import { isLocalName, isSecure } from "./https-only.js";

const hstsSeconds = 31_536_000;

const apply = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  frameguard: { action: "deny" },
  // Depends on the host, see below.
  strictTransportSecurity: false,
});

/**
 * Headers that prevent browsers from using API answers in any other way. Pages set their own policies. Helmet creates
 * the headers once: calling it per request took a sixth of the time of a small request.
 */
export const securityHeaders = fastifyPlugin(async (app: FastifyInstance) => {
  const answer = new ServerResponse(new IncomingMessage(new Socket()));
  apply(answer.req, answer, () => {});
  const headers = { ...answer.getHeaders() };
  app.addHook("onRequest", (request, reply, done) => {
    void reply.headers(headers);
    // Not for local names: HSTS applies to every port of a name, so it would block the plain port of this machine.
    if (isSecure(request) && !isLocalName(request.hostname))
      void reply.header("strict-transport-security", `max-age=${hstsSeconds}`);
    done();
  });
});
