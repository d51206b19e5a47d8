import { operations, type OperationName, type Permission } from "@gatehouse-parking/contract";
import type { FastifyRequest } from "fastify";
import type pg from "pg";
import type { Statement } from "../database/pipeline.js";
import { Refused } from "../refusals/refused.js";
import { flawOfKey, type SpentKey } from "./admission.js";

/** The check before a write's own one is spared so soon after the gate's. Most bodies arrive with their headers. */
const maxKeyAgeMs = 100;

/** Why a key was not accepted. */
export interface KeyProblem {
  reason: "missing" | "malformed" | "unknown" | SpentKey["flaw"];
  /** The owner of a key that exists and no longer counts. */
  organizationId?: string;
  apiKeyId?: string;
}

interface KeyRow {
  permissions: Permission[];
  flaw: SpentKey["flaw"] | null;
}

const keyById = `
  select key.permissions, ${flawOfKey} as flaw from api_keys as key
  where key.organization_id = $1 and key.id = $2`;

/** Fails, and with it the transaction that it is part of, if the key does not count. */
const keyOrFailure = `
  select 1 / count(*) from api_keys as key
  where key.organization_id = $1 and key.id = $2 and ${flawOfKey} is null and $3 = any (key.permissions)`;

/**
 * The gate accepts a key before the body is read, and a body may take a minute to arrive or wait for its turn. So the
 * key is checked again before a write: revoking it also stops the requests that are already under way.
 */
export class KeyConfirmation {
  readonly #pool: pg.Pool;
  readonly #request: FastifyRequest;
  readonly #operation: OperationName;
  #acceptedMs = performance.now();

  constructor(pool: pg.Pool, request: FastifyRequest, operation: OperationName) {
    this.#pool = pool;
    this.#request = request;
    this.#operation = operation;
  }

  /** The check as part of a transaction that sends other statements with it. */
  get statement(): Statement & { values: string[] } {
    const { organizationId, apiKeyId } = this.#request.caller;
    return {
      name: "confirm-key",
      text: keyById,
      values: [organizationId, apiKeyId],
      take: ({ rows }) => this.#require(rows[0] as KeyRow | undefined),
    };
  }

  /** The check as the last statement of a transaction that is sent as a whole. `refuse` tells why that has failed. */
  get condition(): Statement & { values: string[] } {
    const { organizationId, apiKeyId } = this.#request.caller;
    const { permission } = operations[this.#operation];
    return { name: "key-or-failure", text: keyOrFailure, values: [organizationId, apiKeyId, permission] };
  }

  /** A look at the key before work is done for it. The write itself is bound to `statement` or `condition`. */
  async confirm(): Promise<void> {
    if (performance.now() - this.#acceptedMs > maxKeyAgeMs) await this.refuse();
  }

  /** Throws if the key no longer counts. */
  async refuse(): Promise<void> {
    const { name, text, values } = this.statement;
    const { rows } = await this.#pool.query<KeyRow>({ name: name as string, text, values });
    this.#require(rows[0]);
    this.#acceptedMs = performance.now();
  }

  #require(row: KeyRow | undefined): void {
    const { organizationId, apiKeyId } = this.#request.caller;
    const { permission, limit } = operations[this.#operation];
    if (!row || row.flaw !== null) {
      const problem = { reason: row?.flaw ?? ("unknown" as const), organizationId, apiKeyId };
      refuseKey(this.#request, limit.per === "address" ? "keyRefused" : "keyInvalid", problem);
    }
    if (!row.permissions.includes(permission)) refusePermission(permission);
  }
}

export function refuseKey(
  request: FastifyRequest,
  refusal: "keyInvalid" | "keyRefused",
  problem: KeyProblem,
): never {
  request.keyProblem = problem;
  throw new Refused(refusal);
}

export function refusePermission(permission: Permission): never {
  throw new Refused("permissionMissing", { details: [`The key needs the permission ${permission}`] });
}
