import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import { checkedPool, type Connection } from "../database/transaction.js";
import { untilAnswered } from "../operations/answer-lifetime.js";
import { clientAddress, limitAddress } from "../server/client-address.js";
import { secureOrLocal } from "../server/https-only.js";
import { KeyedSemaphore } from "../scheduling/keyed-semaphore.js";
import {
  consoleOperations,
  type ConsoleOperation,
  type ConsoleOperationName,
  type Role,
} from "@gatehouse-parking/contract/console";
import { CallerBudget, publishedConsoleLimits, type ConsoleLimits } from "./limits.js";
import { UserError } from "../refusals/user-error.js";
import { refuseCrossSite, refuseForeignDownload } from "./sessions/cross-site.js";
import {
  findSession,
  lockSession,
  recordActivity,
  type OrganizationInView,
  type Person,
} from "./sessions/find-session.js";
import { sessionToken } from "./sessions/session-cookie.js";

/**
 * The checks of every request to the console's interface: HTTPS or this machine, same-origin for writes, a valid
 * session, access to the organization, and the role that the operation declares.
 *
 * The general rate limit of the public interface does not apply here, because a page of the console sends more than
 * five requests. Separate limits keep one address or one user from blocking the others. Sign-in attempts have their
 * own limit.
 */
declare module "fastify" {
  interface FastifyRequest {
    person: Person;
    /** The organization of the path, if it names one. It exists and the user may see it. */
    organization: OrganizationInView | undefined;
    /** The permit of this request from the semaphore of its user. */
    userPermit: UserPermit;
    /** For a write, a transaction commits only if the user may still make this request. */
    consolePool: pg.Pool;
  }
  interface FastifyContextConfig {
    consoleOperation?: ConsoleOperationName;
  }
}

/** A request holds a permit until it is answered. A slow download releases it and takes one for each part. */
interface UserPermit {
  leave(): void;
  take<T>(work: () => Promise<T>): Promise<T>;
}

const ranks: Record<Role, number> = { viewer: 1, admin: 2, operator: 3 };

const permitQueue = { maxWaiting: 1_000, maxWaitMs: 5_000 };

export interface GuardOptions {
  pool: pg.Pool;
  publicUrl: string | undefined;
  limits: ConsoleLimits | undefined;
}

export function guardConsole(
  app: FastifyInstance,
  { pool, publicUrl, limits = publishedConsoleLimits }: GuardOptions,
): void {
  const addresses = new CallerBudget(limits.address);
  const people = new CallerBudget(limits.person);
  // Slow requests of one user leave half of the connections to the others.
  const perKey = Math.max(1, Math.floor(pool.options.max / 2));
  const semaphore = new KeyedSemaphore({ perKey, overall: Number.POSITIVE_INFINITY, ...permitQueue });
  app.decorateRequest("person");
  app.decorateRequest("organization");
  app.decorateRequest("userPermit");
  app.decorateRequest("consolePool");
  app.addHook("onRequest", async (request, reply) => {
    const name = request.routeOptions.config.consoleOperation;
    if (!name) return;
    void reply.header("cache-control", "no-store");
    await secureOrLocal(request);
    addresses.enter(limitAddress(clientAddress(request)), reply);
    const { role, audited }: ConsoleOperation = consoleOperations[name];
    if (isWrite(request)) refuseCrossSite(request, publicUrl);
    else if (audited) refuseForeignDownload(request);
    request.consolePool = pool;
    if (role === "public") return;
    await admit(request, pool, name);
    if (isWrite(request)) request.consolePool = checkedPool(pool, (client) => confirm(request, client, name));
    people.enter(request.person.id, reply);
    request.userPermit = await acquirePermit(request.person.id, reply);
  });
  // A body may take a minute to arrive. A user who lost access meanwhile is refused before anything is done.
  // consolePool refuses users who lose it later.
  app.addHook("preHandler", async (request) => {
    const name = request.routeOptions.config.consoleOperation;
    if (name && consoleOperations[name].role !== "public" && isWrite(request))
      await admit(request, pool, name);
  });

  async function acquirePermit(personId: string, reply: FastifyReply): Promise<UserPermit> {
    const over = untilAnswered(reply);
    const leave = await semaphore.acquire(personId, over);
    if (over.aborted) leave();
    else over.addEventListener("abort", leave, { once: true });
    return { leave, take: (work) => semaphore.run(personId, work, over) };
  }
}

function isWrite({ method }: FastifyRequest): boolean {
  return method !== "GET" && method !== "HEAD";
}

async function admit(request: FastifyRequest, pool: pg.Pool, name: ConsoleOperationName): Promise<void> {
  if (await findAdmitted(request, pool, name)) await recordActivity(pool, tokenOf(request));
}

/**
 * Locks the user and the session until the end of the transaction. Everything that removes access locks one of
 * them, so it happens before this check or after the commit.
 */
async function confirm(
  request: FastifyRequest,
  client: pg.PoolClient,
  name: ConsoleOperationName,
): Promise<void> {
  await lockSession(client, tokenOf(request));
  await findAdmitted(request, client, name);
}

function tokenOf(request: FastifyRequest): string {
  const token = sessionToken(request);
  if (!token) throw new UserError("signedOut");
  return token;
}

/** Throws if the user may not use the operation now. Returns whether to record their activity. */
async function findAdmitted(
  request: FastifyRequest,
  connection: Connection,
  name: ConsoleOperationName,
): Promise<boolean> {
  const wanted = (request.params as Record<string, string | undefined>)["organizationUuid"];
  const session = await findSession(connection, tokenOf(request), wanted);
  if (!session) throw new UserError("signedOut");
  request.person = session.person;

  // Another organization and one that does not exist look the same.
  if (wanted !== undefined && !session.organization) throw new UserError("notFound");
  request.organization = session.organization;
  const needed = consoleOperations[name].role;
  if (needed !== "public" && ranks[session.person.role] < ranks[needed]) {
    throw new UserError("roleMissing", [`This needs the role ${needed}; yours is ${session.person.role}`]);
  }
  // The provider has already checked its own factors.
  const { hasSecondFactor, byProvider } = session.person;
  if (!hasSecondFactor && !byProvider) {
    // Pages for operators also show data of the strictest organization.
    const isRequired =
      session.organization !== undefined
        ? session.organization.requiresSecondFactor
        : needed === "operator" && (await doesAnyRequireSecondFactor(connection));
    if (isRequired) throw new UserError("secondFactorMissing");
  }
  return session.isActivityStale;
}

/** Runs only for operators without a second factor. */
async function doesAnyRequireSecondFactor(connection: Connection): Promise<boolean> {
  const { rowCount } = await connection.query(
    "select from organizations where requires_second_factor limit 1",
  );
  return rowCount !== 0;
}
