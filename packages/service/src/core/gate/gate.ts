import {
  operationNames,
  operations,
  type Operation,
  type OperationName,
  type LimitOverride,
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
 * Checks HTTPS, API key, permission and rate limit of every API request, before its body is read. Key and limit need one
 * round trip, which concurrent requests share.
 */

/** The caller of a request. It is always derived from the key, never from the content. */
export interface Caller {
  organizationId: string;
  apiKeyId: string;
  permissions: Permission[];
  /** Origins that may submit leads with this key from a browser, besides those of the organization. */
  leadOrigins: string[];
  /** The `organizationColumns` of the operation. */
  organization: Record<string, unknown>;
  /** The key or organization whose limit override applies to leads. */
  leadLimitOwner?: string | undefined;
}

export interface GateOptions {
  pool: pg.Pool;
  limits: Record<OperationName, RateLimit>;
  keyUsage: KeyUsage;
  /** Columns of the table `organizations` that are read with the key, by what the operation is limited by. */
  organizationColumns: Record<RateLimit["per"], readonly string[]>;
  allowPlainHttp: boolean;
  tracer: Tracer;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
    /** Checks before a write that the key is still valid. */
    keyConfirmation: KeyConfirmation;
    /** Why the key was rejected. Only the log says so. */
    keyProblem: KeyProblem | null;
    /** Whether the request was already counted in the key usage. */
    isNoted: boolean;
  }
  interface FastifyContextConfig {
    /** An API operation: key, permission and limit apply. */
    operation?: OperationName;
    /** Every other route declares its access: anyone, or a signed-in user of the console. */
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

  // The body is complete now, which may have taken a minute.
  app.addHook("preHandler", async (request) => {
    if (request.routeOptions.config.operation && request.method !== "GET")
      await request.keyConfirmation.confirm();
  });

  // After the answer, so that the caller does not wait for it.
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

  /** For lead submission, which is limited per address whether the key is valid or not. */
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
    if (full && (known || !mayHaveLimitOverride(keyHash))) {
      if (known) request.caller = known;
      refuseLimited(reply, full);
    }
    const { key: presented, spent, state } = await admitByAddress[name]({ bucket, keyHash });
    showLimit(reply, state);
    if (presented) request.caller = toCaller(presented, organizationColumns.address);
    // Later requests of a flood are rejected from the cache, and the log still names the caller.
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

  /** Whether this key may have a limit override, although the bucket of its address is full. */
  function mayHaveLimitOverride(keyHash: Buffer | undefined): boolean {
    return keyHash !== undefined && (rejected.knows(keyHash) || unknownKeys.mayLookUp());
  }
});

function mapOperations<T>(make: (name: OperationName) => T): Record<OperationName, T> {
  return Object.fromEntries(operationNames.map((name) => [name, make(name)])) as Record<OperationName, T>;
}

/** The bucket of an operation and an organization or address. */
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

function limitOf({ requests, window_seconds: windowSeconds }: PresentedKey): LimitOverride {
  return { requests, windowSeconds };
}

export function showLimit(reply: FastifyReply, state: LimitState): void {
  void reply.headers({
    "x-ratelimit-limit": String(state.limit),
    "x-ratelimit-remaining": String(state.remaining),
    "x-ratelimit-reset": String(state.resetAtSeconds),
  });
}
