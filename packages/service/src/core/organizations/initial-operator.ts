import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { createSignInToken } from "./sign-in-links.js";
import { createUser, hasSignedIn, someoneCanSignIn } from "./users.js";

/** The person a start lets in when nobody else could sign in. Without a password: only by one-time links. */
export interface InitialOperator {
  email: string;
  signInToken: string;
}

/** Any number will do, as long as it is ours alone: instances that start together make one operator. */
const firstStartLock = 7_142_260_302;
const operatorEmail = "operator@gatehouse.example";

/**
 * Lets a first operator in: a fresh link at every start until one of them is used, and undefined from then on. What
 * starts print is kept in logs, and whoever has been in can see to a password.
 */
export async function inviteInitialOperator(
  pool: pg.Pool,
  actor: string,
): Promise<InitialOperator | undefined> {
  return transaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock($1)", [firstStartLock]);
    if (await someoneCanSignIn(client)) return undefined;
    const { rows } = await client.query<{ id: string; email: string; disabled: boolean }>(
      `select id, email, disabled_at is not null as disabled from users
       where role = 'operator' and (disabled_at is null or email_key = $1)
       order by disabled_at is not null, id limit 1`,
      [operatorEmail],
    );
    const operator = rows[0] ?? (await newOperator(client, actor));
    // Whoever disabled the account meant it; `gatehouse user create` makes another.
    if (operator.disabled || (await hasSignedIn(client, operator.id))) return undefined;
    return { email: operator.email, signInToken: await createSignInToken(client, operator.id, "operator") };
  });
}

async function newOperator(client: pg.PoolClient, actor: string) {
  const { uuid, email } = await createUser(client, { email: operatorEmail, role: "operator", actor });
  return { id: uuid, email, disabled: false };
}
