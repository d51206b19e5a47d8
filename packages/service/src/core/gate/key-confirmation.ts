import { operations, type OperationName, type Permission } from "@gatehouse-parking/contract";
import type { FastifyRequest } from "fastify";
import type pg from "pg";
import type { Statement } from "../database/pipeline.js";
import { checkedPool } from "../database/transaction.js";
import { Refused } from "../refusals/refused.js";
import { flawOfKey, type SpentKey } from "./admission.js";

/** A key that the gate has checked this recently is not checked again. Most bodies arrive with their headers. */
const maxKeyAgeMs = 100;

/** Why a key was rejected. */
export interface KeyProblem {
  reason: "missing" | "malformed" | "unknown" | SpentKey["flaw"];
  /** The owner of an expired or revoked key. */
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

/** Divides by zero if the key is invalid, so that the transaction fails. */
const keyOrFailure = `
  select 1 / count(*) from api_keys as key
  where key.organization_id = $1 and key.id = $2 and ${flawOfKey} is null and $3 = any (key.permissions)`;

/**
 * The gate accepts a key before the body is read, and a body may take a minute to arrive. So the key is checked again
 * before a write: a revocation also stops requests in flight.
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

  /** The check as one statement of a transaction. */
  get statement(): Statement & { values: string[] } {
    const { organizationId, apiKeyId } = this.#request.caller;
    return {
      name: "confirm-key",
      text: keyById,
      values: [organizationId, apiKeyId],
      take: ({ rows }) => this.#require(rows[0] as KeyRow | undefined),
    };
  }

  /** The check as the last statement of a transaction in one round trip. If it fails, `refuse` finds out why. */
  get condition(): Statement & { values: string[] } {
    const { organizationId, apiKeyId } = this.#request.caller;
    const { permission } = operations[this.#operation];
    return { name: "key-or-failure", text: keyOrFailure, values: [organizationId, apiKeyId, permission] };
  }

  /** A pool whose transactions are committed only if the key is still valid. */
  guard(pool: pg.Pool): pg.Pool {
    return checkedPool(pool, async (client) => {
      const { text, values, take } = this.statement;
      take?.(await client.query(text, values));
    });
  }

  /** Checks the key before expensive work. The write itself includes `statement` or `condition`. */
  async confirm(): Promise<void> {
    if (performance.now() - this.#acceptedMs > maxKeyAgeMs) await this.refuse();
  }

  /** Throws if the key is no longer valid. */
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
