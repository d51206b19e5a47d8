import {
  operationNames,
  operations,
  type Operation,
  type OperationName,
  type OwnLimit,
  type Permission,
  type RateLimit,
} from "@gatehouse-parking/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import type pg from "pg";
import { hashApiKey, isWellFormedApiKey } from "./api-key-format.js";
import { answeredRequest } from "./answered-request.js";
import type { KeyUsage } from "./key-usage.js";
import { noAttributes, type Tracer } from "../telemetry/tracer.js";
import {
  admitAddresses,
  admitKeys,
  type AdmissionRule,
  type PresentedKey,
  type SpentKey,
} from "./admission.js";
import { clientAddress, limitAddress } from "../server/client-address.js";
import { Refused } from "../refusals/refused.js";
import { isSecure } from "../server/https-only.js";
import { KeyConfirmation, refuseKey, refusePermission, type KeyProblem } from "./key-confirmation.js";
import { RejectedCallerCache, UnknownKeyLimiter } from "./rejected-caller-cache.js";
import { RateLimiter, untouched, type LimitState } from "./rate-limits.js";

/**
 * What every request to an operation of the interface passes before a byte of its body is read: HTTPS, the key, its
 * permission and the rate limit. Key and limit are looked at in one round trip, which requests that arrive together
 * share.
 */

/** Who a request comes from: always taken from the key, never from the request's content. */
export interface Caller {
  organizationId: string;
  apiKeyId: string;
  permissions: Permission[];
  /** Origins that may submit leads with this key from a browser, besides those of the organization. */
  leadOrigins: string[];
  /** The `organizationColumns` of the operation. */
  organization: Record<string, unknown>;
  /** Whose limit of their own counts when leads are submitted: the key's or the organization's. */
  leadLimitOwner?: string | undefined;
}

export interface GateOptions {
  pool: pg.Pool;
  limits: Record<OperationName, RateLimit>;
  keyUsage: KeyUsage;
  /**
   * Columns of the table `organizations` that are read together with the key, by what an operation is limited by, so that
   * it needs no statement of its own for them.
   */
  organizationColumns: Record<RateLimit["per"], readonly string[]>;
  allowPlainHttp: boolean;
  tracer: Tracer;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
    /** Checks again, before a write, that the key still counts. */
    keyConfirmation: KeyConfirmation;
    /** Why the key was not taken, for the log; the answer does not tell. */
    keyProblem: KeyProblem | null;
    /** Whether the request is already counted in the use of its key. */
    isNoted: boolean;
  }
  interface FastifyContextConfig {
    /** An operation of the interface: key, permission and limit apply. */
    operation?: OperationName;
    /** Any other route says who may use it: anyone, or a signed-in person of the console. */
    access?: "public" | "session";
  }
  interface FastifyInstance {
    rateLimiter: RateLimiter;
  }
}

export const gate = fastifyPlugin<GateOptions>(async (app, options) => {
  const limiter = new RateLimiter(options.pool);
  const rejected = new RejectedCallerCache();
  const unknownKeys = new UnknownKeyLimiter();
  const { pool, organizationColumns, tracer } = options;
  const ruleOf = (operation: OperationName): AdmissionRule => ({
    operation,
    permission: operations[operation].permission,
    limit: options.limits[operation],
    organizationColumns: organizationColumns[options.limits[operation].per],
  });
  const admitByKey = mapOperations((name) => admitKeys(pool, limiter, ruleOf(name), tracer));
  const admitByAddress = mapOperations((name) => admitAddresses(pool, limiter, ruleOf(name), tracer));
  app.decorateRequest("caller");
  app.decorateRequest("keyConfirmation");
  app.decorateRequest("keyProblem", null);
  app.decorateRequest("isNoted", false);
  app.decorate("rateLimiter", limiter);

  app.addHook("onRequest", async (request, reply) => {
    const name = request.routeOptions.config.operation;
    if (!name) return;
    const operation: Operation = operations[name];
    const limit = options.limits[name];
    void reply.header("cache-control", "no-store");
    showLimit(reply, untouched(limit));

    if (!options.allowPlainHttp && !isSecure(request)) throw new Refused("httpsRequired");
    const admit = limit.per === "address" ? admitWithinAddress : admitWithinOrganization;
    await options.tracer.span("gate", noAttributes, () => admit(request, reply, name, operation));
    request.keyConfirmation = new KeyConfirmation(options.pool, request, name);
  });

  // The body is complete now. Every operation that takes one stores something, or says what it would store.
  app.addHook("preHandler", async (request) => {
    if (request.routeOptions.config.operation && request.method === "POST")
      await request.keyConfirmation.confirm();
  });

  // After the answer, so that nobody waits for it.
  app.addHook("onResponse", (request, reply, done) => {
    note(request, reply);
    done();
  });
  app.addHook("onRequestAbort", async (request) => note(request, undefined));

  function note(request: FastifyRequest, reply: FastifyReply | undefined): void {
    const answered = request.isNoted ? undefined : answeredRequest(request, reply);
    if (!answered) return;
    request.isNoted = true;
    options.keyUsage.note(answered);
  }

  async function admitWithinOrganization(
    request: FastifyRequest,
    reply: FastifyReply,
    name: OperationName,
    operation: Operation,
  ): Promise<void> {
    const key = request.headers["x-api-key"];
    if (typeof key !== "string" || key === "") throw new Refused("keyMissing");
    if (!isWellFormedApiKey(key)) refuseKey(request, "keyInvalid", { reason: "malformed" });
    const hash = hashApiKey(key);

    const known = rejected.recall(hash);
    const refusal = known?.permissions.includes(operation.permission)
      ? limiter.remembered(bucketName(name, known.organizationId))
      : undefined;
    if (known && refusal) {
      request.caller = known;
      refuseLimited(reply, refusal);
    }

    const { key: presented, spent, state } = await admitByKey[name](hash);
    if (!presented) {
      rejected.forget(hash);
      refuseKey(request, "keyInvalid", problemOf(spent));
    }
    request.caller = toCaller(presented, organizationColumns.organization);
    if (!state) {
      showLimit(reply, untouched(limitOf(presented)));
      refusePermission(operation.permission);
    }
    if (!state.accepted) {
      rejected.remember(hash, request.caller);
      refuseLimited(reply, state);
    }
    showLimit(reply, state);
  }

  /** Counts by address, whether the key is valid or not: lead submission. */
  async function admitWithinAddress(
    request: FastifyRequest,
    reply: FastifyReply,
    name: OperationName,
    operation: Operation,
  ): Promise<void> {
    const bucket = bucketName(name, limitAddress(clientAddress(request)));
    const key = request.headers["x-api-key"];
    const keyHash = typeof key === "string" && isWellFormedApiKey(key) ? hashApiKey(key) : undefined;
    const known = keyHash ? rejected.recall(keyHash) : undefined;
    const full = limiter.remembered(known?.leadLimitOwner ? `${bucket}:${known.leadLimitOwner}` : bucket);
    if (full && (known || !mayHaveOwnLimit(keyHash))) {
      if (known) request.caller = known;
      refuseLimited(reply, full);
    }
    const { key: presented, spent, state } = await admitByAddress[name]({ bucket, keyHash });
    showLimit(reply, state);
    if (presented) request.caller = toCaller(presented, organizationColumns.address);
    // A flood is refused without the database, and the log must still say whose requests they are, and which bucket
    // counts.
    if (keyHash && presented) rejected.remember(keyHash, request.caller);
    else if (keyHash) rejected.forget(keyHash);
    if (!state.accepted) refuseLimited(reply, state);

    if (!presented)
      refuseKey(
        request,
        "keyRefused",
        keyHash ? problemOf(spent) : { reason: key ? "malformed" : "missing" },
      );
    if (!request.caller.permissions.includes(operation.permission)) refusePermission(operation.permission);
  }

  /** Whether a request with this key may be under another limit than its address, whose bucket is full. */
  function mayHaveOwnLimit(keyHash: Buffer | undefined): boolean {
    return keyHash !== undefined && (rejected.knows(keyHash) || unknownKeys.mayLookUp());
  }
});

function mapOperations<T>(make: (name: OperationName) => T): Record<OperationName, T> {
  return Object.fromEntries(operationNames.map((name) => [name, make(name)])) as Record<OperationName, T>;
}

/** Where requests to an operation are counted: by organization, or by address. */
export function bucketName(name: OperationName, who: string): string {
  return `${name}:${who}`;
}

function refuseLimited(reply: FastifyReply, state: LimitState): never {
  showLimit(reply, state);
  throw new Refused("rateLimited");
}

function problemOf(spent: SpentKey | undefined): KeyProblem {
  if (!spent) return { reason: "unknown" };
  return { reason: spent.flaw, organizationId: spent.organization_id, apiKeyId: spent.id };
}

function toCaller(row: PresentedKey, columns: readonly string[]): Caller {
  return {
    organizationId: row.organization_id,
    apiKeyId: row.id,
    permissions: row.permissions,
    leadOrigins: row.lead_origins,
    organization: Object.fromEntries(columns.map((column) => [column, row[`organization.${column}`]])),
    leadLimitOwner: row.lead_limit_owner ?? undefined,
  };
}

function limitOf({ requests, window_seconds: windowSeconds }: PresentedKey): OwnLimit {
  return { requests, windowSeconds };
}

export function showLimit(reply: FastifyReply, state: LimitState): void {
  void reply.headers({
    "x-ratelimit-limit": String(state.limit),
    "x-ratelimit-remaining": String(state.remaining),
    "x-ratelimit-reset": String(state.resetAtSeconds),
  });
}
