import type { OwnSession } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import type { Actor } from "../../audit/audit.js";
import { transaction, type Connection } from "../../database/transaction.js";
import { auditAccount, lockOwnAccount } from "../../organizations/accounts.js";
import { hashToken, isToken, newToken } from "../../organizations/secrets.js";
import { notFoundError } from "../../refusals/user-error.js";
import type { Person } from "./find-session.js";

/** A session ends this long after it was opened ... */
export const absoluteLifetimeHours = 7 * 24;
/** ... and after this long without a request. */
export const idleLifetimeHours = 12;
/** One more ends the oldest. */
const maxSessionsPerPerson = 20;
const maxUserAgentLength = 300;

export interface OpenedSession {
  /** Only for the cookie. The database stores its SHA-256. */
  token: string;
  expiresAt: Date;
}

export interface NewSession {
  userId: string;
  address: string;
  userAgent: string | undefined;
  by: "password" | "link" | "provider";
  /** Whether the code of the person's second factor was checked. */
  isCodeChecked: boolean;
  /** Whether the sign-in proved who the user is. A link from an admin does not. */
  isProven: boolean;
  /** The session ends with the access of the person who made the link. */
  linkMadeBy?: string | null | undefined;
}

export async function openSession(client: pg.ClientBase, input: NewSession): Promise<OpenedSession> {
  const token = newToken();
  const { rows } = await client.query<{ expires_at: Date }>(
    `insert into sessions (token_hash, user_id, expires_at, address, user_agent, by_link, by_provider,
       second_factor_at, proven_at, link_made_by)
     values ($1, $2, now() + make_interval(hours => $3), $4, $5, $6, $7, case when $8 then now() end,
       case when $9 then now() end, $10)
     returning expires_at`,
    [
      hashToken(token),
      input.userId,
      absoluteLifetimeHours,
      input.address,
      input.userAgent?.slice(0, maxUserAgentLength) ?? null,
      input.by === "link",
      input.by === "provider",
      input.isCodeChecked,
      input.isProven,
      input.linkMadeBy ?? null,
    ],
  );
  await client.query(
    `delete from sessions where expires_at < now() or last_seen_at < now() - make_interval(hours => $1)
       or token_hash in (
         select token_hash from sessions where user_id = $2 order by created_at desc offset $3
       )`,
    [idleLifetimeHours, input.userId, maxSessionsPerPerson],
  );
  return { token, expiresAt: (rows[0] as { expires_at: Date }).expires_at };
}

/** After the user has set up a second factor in this session. */
export async function markCodeChecked(client: pg.ClientBase, token: string): Promise<void> {
  await client.query("update sessions set second_factor_at = now() where token_hash = $1", [
    hashToken(token),
  ]);
}

export async function endSession(client: pg.ClientBase | pg.Pool, token: string): Promise<void> {
  if (isToken(token)) await client.query("delete from sessions where token_hash = $1", [hashToken(token)]);
}

interface SessionRow {
  id: string;
  is_current: boolean;
  created_at: Date;
  last_seen_at: Date;
  expires_at: Date;
  address: string | null;
  user_agent: string | null;
  by_link: boolean;
  by_provider: boolean;
}

/** The identifier is the beginning of the token's hash, which does not open the session. */
const identifier = "encode(substring(token_hash for 16), 'hex')::uuid";

/** Sessions that are still valid. */
export async function listOwnSessions(
  pool: pg.Pool,
  { userId, token }: { userId: string; token: string },
): Promise<OwnSession[]> {
  const { rows } = await pool.query<SessionRow>(
    `select ${identifier} as id, token_hash = $2 as is_current, created_at, last_seen_at, expires_at,
            address, user_agent, by_link, by_provider
     from sessions
     where user_id = $1 and expires_at > now() and last_seen_at > now() - make_interval(hours => $3)
     order by is_current desc, last_seen_at desc, token_hash`,
    [userId, hashToken(token), idleLifetimeHours],
  );
  return rows.map((row) => ({
    uuid: row.id,
    isCurrent: row.is_current,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    address: row.address,
    userAgent: row.user_agent,
    by: row.by_provider ? "provider" : row.by_link ? "link" : "password",
  }));
}

export async function endOwnSession(
  pool: pg.Pool,
  { person, actor, token, sessionId }: { person: Person; actor: Actor; token: string; sessionId: string },
): Promise<void> {
  await transaction(pool, async (client) => {
    await lockOwnAccount(client, { userId: person.id, sessionHash: hashToken(token) });
    const { rows } = await client.query<{ address: string | null }>(
      `delete from sessions where user_id = $1 and ${identifier} = $2 returning address`,
      [person.id, sessionId],
    );
    if (!rows[0]) throw notFoundError("This session has already ended");
    await auditEnd(client, person, actor, { openedFrom: rows[0].address });
  });
}

/** Returns how many sessions ended. */
export async function endOtherSessions(
  connection: Connection,
  { person, actor, token }: { person: Person; actor: Actor; token: string },
): Promise<number> {
  return transaction(connection, async (client) => {
    await lockAccount(client, person);
    const { rowCount } = await client.query("delete from sessions where user_id = $1 and token_hash <> $2", [
      person.id,
      hashToken(token),
    ]);
    await auditEnd(client, person, actor, { others: rowCount ?? 0 });
    return rowCount ?? 0;
  });
}

/** Waits for a session that is being opened, so that it ends with the others. */
async function lockAccount(client: pg.ClientBase, { id }: Person): Promise<void> {
  await client.query("select from users where id = $1 for update", [id]);
}

async function auditEnd(
  client: pg.ClientBase,
  person: Person,
  actor: Actor,
  detail: Record<string, unknown>,
): Promise<void> {
  await auditAccount(client, person.id, { actor, action: "user.end-sessions", detail });
}
