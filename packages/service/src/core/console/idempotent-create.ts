import { isUuid } from "@gatehouse-parking/contract";
import type { FastifyRequest } from "fastify";
import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { UserError } from "../refusals/user-error.js";

interface Making<T> {
  make(client: pg.PoolClient): Promise<T>;
  /** What is answered instead when the same request has made it already. */
  show(client: pg.PoolClient, subjectId: string): T | Promise<T>;
}

/** A page that waits longer for an answer is gone. */
const rememberedHours = 24;

/**
 * Makes something once for a person and the token in the request's Idempotency-Key. The same again, as by two clicks
 * without a gap or after an answer that was lost, waits for the first and makes nothing more. The page makes a token
 * for what it is about to send; without one, every request counts.
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
