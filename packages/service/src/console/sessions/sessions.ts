import type pg from "pg";
import { hashToken, isToken, newToken } from "../../organizations/tokens.js";

/** A session ends this long after it was opened, however busy it is ... */
export const absoluteLifetimeHours = 7 * 24;
/** ... and after this long without a request. */
export const idleLifetimeHours = 12;
/** Opening one more ends the oldest. */
const maxSessionsPerPerson = 20;
const maxUserAgentLength = 300;

/** What let somebody in. */
export type EntranceKind = "password" | "link" | "provider";

export interface OpenedSession {
  /** For the cookie alone: the database keeps its SHA-256. */
  token: string;
  expiresAt: Date;
}

export async function openSession(
  client: pg.ClientBase,
  input: { userId: string; address: string; userAgent: string | undefined; by: EntranceKind },
): Promise<OpenedSession> {
  const token = newToken();
  const { rows } = await client.query<{ expires_at: Date }>(
    `insert into sessions (token_hash, user_id, expires_at, address, user_agent, by_link, by_provider)
     values ($1, $2, now() + make_interval(hours => $3), $4, $5, $6, $7) returning expires_at`,
    [
      hashToken(token),
      input.userId,
      absoluteLifetimeHours,
      input.address,
      input.userAgent?.slice(0, maxUserAgentLength) ?? null,
      input.by === "link",
      input.by === "provider",
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

export async function endSession(client: pg.ClientBase | pg.Pool, token: string): Promise<void> {
  if (isToken(token)) await client.query("delete from sessions where token_hash = $1", [hashToken(token)]);
}
