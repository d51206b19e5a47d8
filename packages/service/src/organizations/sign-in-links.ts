import type pg from "pg";
import { mayEnter } from "./memberships.js";
import { hashToken, isToken, newToken } from "./tokens.js";

export const signInLinkHours = 24;

/** Makes a token that signs its user in once, within a day. */
export async function createSignInToken(client: pg.ClientBase | pg.Pool, userId: string): Promise<string> {
  const token = newToken();
  await client.query(
    `insert into sign_in_links (token_hash, user_id, expires_at)
     values ($1, $2, now() + make_interval(hours => $3))`,
    [hashToken(token), userId, signInLinkHours],
  );
  return token;
}

/**
 * Uses the token up and says whom it signs in; undefined if it is unknown, used, expired or its user disabled. Locks the person
 * before the link, in the order of whoever changes the account and ends its links.
 */
export async function redeemSignInToken(client: pg.ClientBase, token: string): Promise<string | undefined> {
  if (!isToken(token)) return undefined;
  await client.query(
    `select from sign_in_links as link join users on users.id = link.user_id
     where link.token_hash = $1 for share of users`,
    [hashToken(token)],
  );
  const { rows } = await client.query<{ user_id: string }>(
    `update sign_in_links as link set used_at = now()
     from users
     where link.token_hash = $1 and link.used_at is null and link.expires_at > now()
       and users.id = link.user_id and ${mayEnter("users")}
     returning link.user_id`,
    [hashToken(token)],
  );
  return rows[0]?.user_id;
}

/** The token stands behind the #, which browsers never send: it reaches no log, and a preview does not use it up. */
export function signInAddress(consoleAddress: string, token: string): string {
  return `${consoleAddress}/sign-in#token=${token}`;
}
