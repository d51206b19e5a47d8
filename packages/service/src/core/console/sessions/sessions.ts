import type pg from "pg";
import { hashToken, isToken, newToken } from "../../organizations/tokens.js";

/** A session ends this long after it was opened, however busy it is ... */
export const absoluteLifetimeHours = 7 * 24;
/** ... and after this long without a request. */
export const idleLifetimeHours = 12;
/** Opening one more ends the oldest. */
const maxSessionsPerPerson = 20;
const maxUserAgentLength = 300;

export interface OpenedSession {
  /** For the cookie alone: the database keeps its SHA-256. */
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
  /** Whether what opens it shows who the person is, which a link of an admin does not. */
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

/** After somebody has set up a second factor in this session, by a code of it. */
export async function noteCodeChecked(client: pg.ClientBase, token: string): Promise<void> {
  await client.query("update sessions set second_factor_at = now() where token_hash = $1", [
    hashToken(token),
  ]);
}

export async function endSession(client: pg.ClientBase | pg.Pool, token: string): Promise<void> {
  if (isToken(token)) await client.query("delete from sessions where token_hash = $1", [hashToken(token)]);
}
