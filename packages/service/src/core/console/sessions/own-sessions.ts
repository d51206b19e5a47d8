import type { OwnSession } from "@gatehouse-parking/contract/console";
import type pg from "pg";
import { transaction, type Connection } from "../../database/transaction.js";
import type { Actor } from "../../audit/audit.js";
import { auditAccount } from "../../organizations/audit-account.js";
import { lockOwnAccount } from "../../organizations/lock-account.js";
import { hashToken } from "../../organizations/tokens.js";
import { notFoundError } from "../../refusals/user-error.js";
import type { Person } from "./find-session.js";
import { idleLifetimeHours } from "./sessions.js";

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

/** A session is named by the beginning of its token's hash, which opens nothing. */
const identifier = "encode(substring(token_hash for 16), 'hex')::uuid";

/** Those that still let somebody in; sessions.ts bounds how many a person has. */
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

/** Says how many there were. */
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

/** A session that is just being opened is waited for, and ended with the others. */
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
