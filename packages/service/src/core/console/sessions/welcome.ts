import { TLSSocket } from "node:tls";
import type { Session } from "@gatehouse-parking/contract/console";
import type { FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import type { Config } from "../../config.js";
import { listOwnOrganizations } from "../../organizations/organizations.js";
import { UserError } from "../../refusals/user-error.js";
import { clientAddress } from "../../server/client-address.js";
import { isSecure } from "../../server/https-only.js";
import { readOwnAuthority } from "../../server/tls/choose-certificate.js";
import { findSession } from "./find-session.js";
import { sessionToken, setSessionCookie } from "./session-cookie.js";
import type { OpenedSession } from "./sessions.js";
import type { Visitor } from "./sign-in.js";

/** What the console learns about the service with its session. */
export interface SignInContext {
  pool: pg.Pool;
  config: Config;
  features: readonly { name: string }[];
}

/** Hands a new session to the browser. */
export async function welcome(
  context: SignInContext,
  request: FastifyRequest,
  reply: FastifyReply,
  session: OpenedSession,
): Promise<Session> {
  setSessionCookie(reply, session.token, session.expiresAt);
  return describeSession(context, request, session.token);
}

export async function describeSession(
  { pool, config, features }: SignInContext,
  request: FastifyRequest,
  token: string,
): Promise<Session> {
  const session = await findSession(pool, token, undefined);
  if (!session) throw new UserError("signedOut");
  const { id, email, role, hasPassword, hasSecondFactor, byLink, byProvider } = session.person;
  const isOperator = role === "operator";
  const { ports } = request.server;
  return {
    user: { uuid: id, email, isOperator, hasPassword, hasSecondFactor },
    byLink,
    byProvider,
    organizations: isOperator ? [] : await listOwnOrganizations(pool, id),
    expiresAt: session.expiresAt.toISOString(),
    publicUrl: config.publicUrl ?? null,
    ports: { https: ports.httpsPort, http: ports.httpPort },
    authority: (servesOwnCertificate(request, config) && (await readOwnAuthority(config))) || null,
    features: features.map(({ name }) => name),
  };
}

/** Whether clients that use the public address reach our TLS, and not that of a proxy. */
function servesOwnCertificate(request: FastifyRequest, { publicUrl, httpsPort }: Config): boolean {
  if (publicUrl !== undefined) return Number(new URL(publicUrl).port) === httpsPort;
  return request.raw.socket instanceof TLSSocket || !isSecure(request);
}

export function visitorOf(request: FastifyRequest): Visitor {
  return {
    address: clientAddress(request),
    userAgent: request.headers["user-agent"],
    previousToken: sessionToken(request),
  };
}
