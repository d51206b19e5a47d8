import { isUuid } from "@gatehouse-parking/contract";
import type { FastifyRequest } from "fastify";
import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { UserError } from "../refusals/user-error.js";

interface Making<T> {
  make(client: pg.PoolClient): Promise<T>;
  /** The answer if the same request has already created the object. */
  show(client: pg.PoolClient, subjectId: string): T | Promise<T>;
}

/** A page that waits longer for an answer has given up. */
const rememberedHours = 24;

/**
 * Creates an object once per user and Idempotency-Key. A repeated request, such as a double click or a retry
 * after a lost answer, waits for the first one and creates nothing. The page generates the key. Requests
 * without a key are never deduplicated.
 */
export async function createIdempotently<T extends { uuid: string }>(
  pool: pg.Pool,
  request: FastifyRequest,
  { make, show }: Making<T>,
): Promise<T> {
  const token = request.headers["idempotency-key"];
  if (token === undefined) return transaction(pool, make);
  if (typeof token !== "string" || !isUuid(token))
    throw new UserError("invalid", ["Idempotency-Key must be a uuid"]);
  const submission = [request.person.id, token];
  return transaction(pool, async (client) => {
    await client.query(
      "delete from console_submissions where user_id = $1 and created_at < now() - make_interval(hours => $2)",
      [request.person.id, rememberedHours],
    );
    const { rowCount } = await client.query(
      "insert into console_submissions (user_id, token) values ($1, $2) on conflict do nothing",
      submission,
    );
    if (rowCount === 0) {
      const { rows } = await client.query<{ subject_id: string }>(
        "select subject_id from console_submissions where user_id = $1 and token = $2",
        submission,
      );
      return show(client, (rows[0] as { subject_id: string }).subject_id);
    }
    const made = await make(client);
    await client.query("update console_submissions set subject_id = $3 where user_id = $1 and token = $2", [
      ...submission,
      made.uuid,
    ]);
    return made;
  });
}
