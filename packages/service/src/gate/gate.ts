import {
  operationNames,
  operations,
  type Operation,
  type OperationName,
  type Permission,
  type RateLimit,
} from "@gatehouse-parking/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import type pg from "pg";
import { hashApiKey, isWellFormedApiKey } from "./api-key-format.js";
import type { KeyUsage } from "./key-usage.js";
import { noAttributes, type Tracer } from "../telemetry/tracer.js";
import { admitAddresses, admitKeys, type PresentedKey, type SpentKey } from "./admission.js";
import { clientAddress, limitAddress } from "../server/client-address.js";
import { RequestRefused } from "../refusals/request-refused.js";
import { isSecure } from "../server/https-only.js";
import { RememberedCallers } from "./remembered-callers.js";
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
  /** Origins that may submit leads from a browser: the key's and the organization's. */
  leadOrigins: string[];
}

export interface GateOptions {
  pool: pg.Pool;
  limits: Record<OperationName, RateLimit>;
  keyUsage: KeyUsage;
  /**
   * Columns of the table `organizations` that are read together with the key where an operation is limited by address,
   * so that it needs no statement of its own for them.
   */
  organizationColumns: readonly string[];
  allowPlainHttp: boolean;
  tracer: Tracer;
}

interface KeyProblem {
  reason: "missing" | "malformed" | "unknown" | SpentKey["flaw"];
  /** The key that no longer counts. */
  organizationId?: string;
  apiKeyId?: string;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
    /** The `organizationColumns` of whoever asks, on operations that are limited by address. */
    organizationRow: Record<string, unknown>;
    /** Why the key was not taken, for the log; the answer does not tell. */
    keyProblem: KeyProblem | null;
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
  const callers = new RememberedCallers();
  const admitByKey = mapOperations((operation) =>
    admitKeys(
      options.pool,
      limiter,
      { operation, permission: operations[operation].permission, limit: options.limits[operation] },
      options.tracer,
    ),
  );
  const admitByAddress = mapOperations((operation) =>
    admitAddresses(
      options.pool,
      limiter,
      { limit: options.limits[operation], organizationColumns: options.organizationColumns },
      options.tracer,
    ),
  );
  app.decorateRequest("caller");
  app.decorateRequest("organizationRow");
  app.decorateRequest("keyProblem", null);
  app.decorate("rateLimiter", limiter);

  app.addHook("onRequest", async (request, reply) => {
    const name = request.routeOptions.config.operation;
    if (!name) return;
    const operation: Operation = operations[name];
    const limit = options.limits[name];
    void reply.header("cache-control", "no-store");
    showLimit(reply, untouched(limit));

    if (!options.allowPlainHttp && !isSecure(request)) throw new RequestRefused("httpsRequired");
    const admit = limit.per === "address" ? admitWithinAddress : admitWithinOrganization;
    await options.tracer.span("gate", noAttributes, () => admit(request, reply, name, operation));
  });

  async function admitWithinOrganization(
    request: FastifyRequest,
    reply: FastifyReply,
    name: OperationName,
    operation: Operation,
  ): Promise<void> {
    const key = request.headers["x-api-key"];
    if (typeof key !== "string" || key === "") throw new RequestRefused("keyMissing");
    if (!isWellFormedApiKey(key)) refuseKey(request, "keyInvalid", { reason: "malformed" });
    const hash = hashApiKey(key);

    const known = callers.recall(hash);
    const refusal = known?.permissions.includes(operation.permission)
      ? limiter.remembered(bucketName(name, known.organizationId))
      : undefined;
    if (known && refusal) {
      request.caller = known;
      refuseLimited(request, reply, name, refusal);
    }

    const { key: presented, spent, state } = await admitByKey[name](hash);
    if (!presented) {
      callers.forget(hash);
      refuseKey(request, "keyInvalid", problemOf(spent));
    }
    request.caller = toCaller(presented);
    if (!state) refusePermission(operation.permission);
    if (!state.accepted) {
      callers.remember(hash, request.caller);
      refuseLimited(request, reply, name, state);
    }
    showLimit(reply, state);
    options.keyUsage.note(request.caller, name, "accepted", clientAddress(request));
  }

  /** Lead submission counts by address, and whether or not the key is worth anything. */
  async function admitWithinAddress(
    request: FastifyRequest,
    reply: FastifyReply,
    name: OperationName,
    operation: Operation,
  ): Promise<void> {
    const bucket = bucketName(name, limitAddress(clientAddress(request)));
    const full = limiter.remembered(bucket);
    if (full) {
      showLimit(reply, full);
      throw new RequestRefused("rateLimited");
    }
    const key = request.headers["x-api-key"];
    const keyHash = typeof key === "string" && isWellFormedApiKey(key) ? hashApiKey(key) : undefined;
    const { key: presented, spent, state } = await admitByAddress[name]({ bucket, keyHash });
    showLimit(reply, state);
    if (!state.accepted) throw new RequestRefused("rateLimited");

    if (!presented)
      refuseKey(
        request,
        "keyRefused",
        keyHash ? problemOf(spent) : { reason: key ? "malformed" : "missing" },
      );
    request.caller = toCaller(presented);
    request.organizationRow = presented;
    if (!request.caller.permissions.includes(operation.permission)) refusePermission(operation.permission);
    options.keyUsage.note(request.caller, name, "accepted", clientAddress(request));
  }

  function refuseLimited(
    request: FastifyRequest,
    reply: FastifyReply,
    name: OperationName,
    state: LimitState,
  ): never {
    showLimit(reply, state);
    options.keyUsage.note(request.caller, name, "limited", clientAddress(request));
    throw new RequestRefused("rateLimited");
  }
});

function mapOperations<T>(make: (name: OperationName) => T): Record<OperationName, T> {
  return Object.fromEntries(operationNames.map((name) => [name, make(name)])) as Record<OperationName, T>;
}

/** Where requests to an operation are counted: by organization, or by address. */
export function bucketName(name: OperationName, who: string): string {
  return `${name}:${who}`;
}

function refuseKey(
  request: FastifyRequest,
  refusal: "keyInvalid" | "keyRefused",
  problem: KeyProblem,
): never {
  request.keyProblem = problem;
  throw new RequestRefused(refusal);
}

function problemOf(spent: SpentKey | undefined): KeyProblem {
  if (!spent) return { reason: "unknown" };
  return { reason: spent.flaw, organizationId: spent.organization_id, apiKeyId: spent.id };
}

function refusePermission(permission: Permission): never {
  throw new RequestRefused("permissionMissing", { details: [`The key needs the permission ${permission}`] });
}

function toCaller(row: PresentedKey): Caller {
  return {
    organizationId: row.organization_id,
    apiKeyId: row.id,
    permissions: row.permissions,
    leadOrigins: row.lead_origins,
  };
}

export function showLimit(reply: FastifyReply, state: LimitState): void {
  void reply.headers({
    "x-ratelimit-limit": String(state.limit),
    "x-ratelimit-remaining": String(state.remaining),
    "x-ratelimit-reset": String(state.resetAtSeconds),
  });
}
