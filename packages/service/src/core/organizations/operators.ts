import type { Operator as ConsoleOperator } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction } from "../database/transaction.js";
import { writeAudit } from "../audit/audit.js";
import { invalidInput, notFoundError } from "../refusals/user-error.js";
import { endAllAccess } from "./memberships.js";
import { accountKeys } from "./account-email.js";
import { createSignInToken, endLinksMadeBy } from "./sign-in-links.js";
import { hasEmail, createUser, hasSignedIn, someoneCanSignIn } from "./accounts.js";

/** A user who sees all organizations. Only the command line manages operators. */
export interface Operator {
  uuid: string;
  email: string;
  createdAt: string;
  disabledAt: string | null;
  hasPassword: boolean;
  lastSeenAt: string | null;
}

interface OperatorRow {
  id: string;
  email: string;
  created_at: Date;
  disabled_at: Date | null;
  has_password: boolean;
  last_seen_at: Date | null;
}

const maxOperators = 1_000;
const select = `
  select id, email, created_at, disabled_at, password_hash is not null as has_password,
         (select max(last_seen_at) from sessions where user_id = users.id) as last_seen_at
  from users where role = 'operator'`;

export async function listOperators(pool: pg.Pool): Promise<Operator[]> {
  const { rows } = await pool.query<OperatorRow>(`${select} order by email_key limit ${maxOperators}`);
  return rows.map(toOperator);
}

/** With what the command line does not show. */
export async function listOperatorsForConsole(pool: pg.Pool): Promise<ConsoleOperator[]> {
  const { rows } = await pool.query<{ user_id: string }>(
    "select user_id from second_factors where confirmed_at is not null and user_id in (select id from users where role = 'operator')",
  );
  const protectedIds = new Set(rows.map((row) => row.user_id));
  const operators = await listOperators(pool);
  return operators.map((operator) => ({ ...operator, hasSecondFactor: protectedIds.has(operator.uuid) }));
}

/** Signs the operator out on every instance. */
export async function disableOperator(
  pool: pg.Pool,
  input: { email: string; isDisabled: boolean; actor: string },
): Promise<Operator> {
  return transaction(pool, async (client) => {
    const before = await lockOperator(client, input.email);
    if ((before.disabledAt !== null) === input.isDisabled) return before;
    await client.query("update users set disabled_at = case when $2 then now() end where id = $1", [
      before.uuid,
      input.isDisabled,
    ]);
    if (input.isDisabled) {
      await endLinksMadeBy(client, before.uuid, null);
      await endAllAccess(client, before.uuid);
    }
    await writeAudit(client, {
      organizationId: null,
      actor: input.actor,
      action: "user.update",
      subjectId: before.uuid,
      detail: { disabled: input.isDisabled },
    });
    return lockOperator(client, input.email);
  });
}

/** For a lost password: removes it, ends the sessions, and makes a token that signs in once. */
export async function resetOperator(
  pool: pg.Pool,
  input: { email: string; actor: string },
): Promise<{ operator: Operator; signInToken: string }> {
  return transaction(pool, async (client) => {
    const { uuid, disabledAt } = await lockOperator(client, input.email);
    if (disabledAt) throw invalidInput(`${input.email} is disabled; enable them first`);
    await client.query("update users set password_hash = null where id = $1", [uuid]);
    await endAllAccess(client, uuid);
    const signInToken = await createSignInToken(client, uuid, "operator");
    await writeAudit(client, {
      organizationId: null,
      actor: input.actor,
      action: "user.reset",
      subjectId: uuid,
    });
    return { operator: await lockOperator(client, input.email), signInToken };
  });
}

async function lockOperator(client: pg.PoolClient, email: string): Promise<Operator> {
  const { rows } = await client.query<OperatorRow>(`${select} and ${hasEmail("$1")} for update of users`, [
    accountKeys(email),
  ]);
  if (!rows[0]) throw notFoundError(`There is no operator ${email}`);
  return toOperator(rows[0]);
}

function toOperator(row: OperatorRow): Operator {
  return {
    uuid: row.id,
    email: row.email,
    createdAt: row.created_at.toISOString(),
    disabledAt: row.disabled_at?.toISOString() ?? null,
    hasPassword: row.has_password,
    lastSeenAt: row.last_seen_at?.toISOString() ?? null,
  };
}

/** The account that a start creates when no user could sign in. It has no password, only one-time links. */
export interface InitialOperator {
  email: string;
  signInToken: string;
}

/** An arbitrary lock number, so that instances that start together create one operator. */
const firstStartLock = 7_142_260_302;
const operatorEmail = "operator@gatehouse.example";

/**
 * Makes a new link at every start until the first one is used, and returns undefined after that: links at the start
 * end up in logs, and an operator who has signed in can set a password.
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
    // A disabled account stays disabled. `gatehouse user create` makes another.
    if (operator.disabled || (await hasSignedIn(client, operator.id))) return undefined;
    return { email: operator.email, signInToken: await createSignInToken(client, operator.id, "operator") };
  });
}

async function newOperator(client: pg.PoolClient, actor: string) {
  const { uuid, email } = await createUser(client, { email: operatorEmail, role: "operator", actor });
  return { id: uuid, email, disabled: false };
}
