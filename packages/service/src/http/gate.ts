import {
  operations,
  type Operation,
  type OperationName,
  type Permission,
  type RateLimit,
} from "@gatehouse/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import type pg from "pg";
import {
  leadSettingsColumns,
  toLeadSettings,
  type LeadSettings,
  type LeadSettingsRow,
} from "../leads/settings.js";
import { hashApiKey, isWellFormedApiKey } from "../organizations/api-key-format.js";
import type { KeyUsage } from "../organizations/key-usage.js";
import { clientAddress, limitAddress } from "./client-address.js";
import { RequestRefused } from "./errors.js";
import { isSecure } from "./https-only.js";
import { RememberedCallers } from "./remembered-callers.js";
import {
  RateLimiter,
  bucketParameters,
  takeFromBucket,
  untouched,
  type LimitState,
  type TakenRow,
} from "./rate-limits.js";

/**
 * What every request to an operation of the interface passes before a byte of its body is read: HTTPS, the key, its
 * permission and the rate limit. For organization limits that is one statement, so a request pays one round trip.
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
  allowPlainHttp: boolean;
}

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller;
    /** On lead submission only. */
    leadSettings: LeadSettings;
    limitState: LimitState | null;
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

interface PresentedKey {
  organization_id: string;
  id: string;
  permissions: Permission[];
  lead_origins: string[];
}

/** All null but the limit's columns if there is no such key. */
type PresentedLeadKey = PresentedKey & LeadSettingsRow & TakenRow & { id: string | null };

const presentedKey = `
  select key.organization_id, key.id, key.permissions, key.lead_origins || organization.lead_origins as lead_origins $MORE
  from api_keys as key
  join organizations as organization on organization.id = key.organization_id
  where key.hash = $HASH
    and key.revoked_at is null
    and (key.expires_at is null or key.expires_at > clock_timestamp())`;

/** $1 to $4 as in takeFromBucket, but $1 is the operation and the bucket is completed with the organization. */
export const admitByKey = `
  with presented as (${presentedKey.replace("$HASH", "$5").replace("$MORE", "")}),
  taken as (${takeFromBucket("presented where $6 = any (presented.permissions)").replace(
    "select $1,",
    "select $1 || ':' || presented.organization_id,",
  )})
  select presented.*, taken.*
  from presented left join taken on true`;

/** Counts by address whatever the key is worth, and looks the key up in the same round trip. $5 is its hash. */
const admitByAddress = `
  with presented as (${presentedKey.replace("$HASH", "$5").replace("$MORE", `, ${leadSettingsColumns}`)}),
  taken as (${takeFromBucket("(values (1)) as always")})
  select presented.*, taken.*
  from taken left join presented on true`;

export const gate = fastifyPlugin<GateOptions>(async (app, options) => {
  const limiter = new RateLimiter(options.pool);
  const callers = new RememberedCallers();
  app.decorateRequest("caller");
  app.decorateRequest("leadSettings");
  app.decorateRequest("limitState", null);
  app.decorate("rateLimiter", limiter);

  app.addHook("onRequest", async (request, reply) => {
    const name = request.routeOptions.config.operation;
    if (!name) return;
    const operation: Operation = operations[name];
    const limit = options.limits[name];
    void reply.header("cache-control", "no-store");
    showLimit(request, reply, untouched(limit));

    if (!options.allowPlainHttp && !isSecure(request)) throw new RequestRefused("httpsRequired");
    if (limit.per === "address") await admitLead(request, reply, name, operation, limit);
    else await admitImport(request, reply, name, operation, limit);
  });

  async function admitImport(
    request: FastifyRequest,
    reply: FastifyReply,
    name: OperationName,
    operation: Operation,
    limit: RateLimit,
  ): Promise<void> {
    const key = request.headers["x-api-key"];
    if (typeof key !== "string" || key === "") throw new RequestRefused("keyMissing");
    if (!isWellFormedApiKey(key)) throw new RequestRefused("keyInvalid");
    const hash = hashApiKey(key);

    const known = callers.recall(hash);
    const refusal = known?.permissions.includes(operation.permission)
      ? limiter.remembered(bucketName(name, known.organizationId))
      : undefined;
    if (known && refusal) {
      request.caller = known;
      refuseLimited(request, reply, name, refusal);
    }

    const { rows } = await options.pool.query<PresentedKey & TakenRow>({
      name: "admit-by-key",
      text: admitByKey,
      values: [...bucketParameters(name, limit), hash, operation.permission],
    });
    const row = rows[0];
    if (!row) {
      callers.forget(hash);
      throw new RequestRefused("keyInvalid");
    }
    request.caller = toCaller(row);
    if (!row.permissions.includes(operation.permission)) refusePermission(operation.permission);

    const state = limiter.learn(bucketName(name, row.organization_id), limit, row);
    if (!state.accepted) {
      callers.remember(hash, request.caller);
      refuseLimited(request, reply, name, state);
    }
    showLimit(request, reply, state);
    options.keyUsage.note(request.caller, name, "accepted", clientAddress(request));
  }

  /** Lead submission counts by address, and whether or not the key is worth anything. */
  async function admitLead(
    request: FastifyRequest,
    reply: FastifyReply,
    name: OperationName,
    operation: Operation,
    limit: RateLimit,
  ): Promise<void> {
    const key = request.headers["x-api-key"];
    const hash = typeof key === "string" && isWellFormedApiKey(key) ? hashApiKey(key) : undefined;
    let presented: (PresentedKey & LeadSettingsRow) | undefined;
    const state = await limiter.take(
      bucketName(name, limitAddress(clientAddress(request))),
      limit,
      hash &&
        (async (parameters) => {
          const { rows } = await options.pool.query<PresentedLeadKey>({
            name: "admit-by-address",
            text: admitByAddress,
            values: [...parameters, hash],
          });
          const row = rows[0] as PresentedLeadKey;
          if (row.id !== null) presented = row;
          return row;
        }),
    );
    showLimit(request, reply, state);
    if (!state.accepted) throw new RequestRefused("rateLimited");

    if (!presented) throw new RequestRefused("keyRefused");
    request.caller = toCaller(presented);
    request.leadSettings = toLeadSettings(presented);
    if (!request.caller.permissions.includes(operation.permission)) refusePermission(operation.permission);
    options.keyUsage.note(request.caller, name, "accepted", clientAddress(request));
  }

  function refuseLimited(
    request: FastifyRequest,
    reply: FastifyReply,
    name: OperationName,
    state: LimitState,
  ): never {
    showLimit(request, reply, state);
    options.keyUsage.note(request.caller, name, "limited", clientAddress(request));
    throw new RequestRefused("rateLimited");
  }
});

/** Where requests to an operation are counted: by organization, or by address. */
export function bucketName(name: OperationName, who: string): string {
  return `${name}:${who}`;
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

export function showLimit(request: FastifyRequest, reply: FastifyReply, state: LimitState): void {
  request.limitState = state;
  void reply.headers({
    "x-ratelimit-limit": String(state.limit),
    "x-ratelimit-remaining": String(state.remaining),
    "x-ratelimit-reset": String(state.resetAtSeconds),
  });
}
