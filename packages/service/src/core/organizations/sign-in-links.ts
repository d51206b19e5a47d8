import type pg from "pg";
import { everyMembership, lockAccounts, mayEnter, roleIn } from "./memberships.js";
import { hashToken, isToken, newToken } from "./secrets.js";

export const signInLinkHours = 24;

/** Who makes a link, and where. "operator": the command line or the start of the service, which nobody takes away. */
export type LinkMaker = "operator" | { id: string; isOperator: boolean; organizationId: string };

/** Makes a token that signs its user in once, within a day, for as long as its maker may make one. */
export async function createSignInToken(
  client: pg.ClientBase | pg.Pool,
  userId: string,
  maker: LinkMaker,
): Promise<string> {
  const token = newToken();
  const [madeBy, organizationId, byOperator] =
    maker === "operator" ? [null, null, true] : [maker.id, maker.organizationId, maker.isOperator];
  await client.query(
    `insert into sign_in_links (token_hash, user_id, expires_at, made_by, organization_id, by_operator)
     values ($1, $2, now() + make_interval(hours => $3), $4, $5, $6)`,
    [hashToken(token), userId, signInLinkHours, madeBy, organizationId, byOperator],
  );
  return token;
}

/** What an opened link says. */
export interface RedeemedLink {
  userId: string;
  madeBy: string | null;
  /** Whether an operator made it, which proves who the person is. */
  byOperator: boolean;
}

/**
 * Uses the token up and says whom it signs in; undefined if it is unknown, used or expired, its user disabled, or its maker no
 * longer allowed to make one. Locks both people before the link, as everybody does who changes them and ends their links.
 */
export async function redeemSignInToken(
  client: pg.ClientBase,
  token: string,
): Promise<RedeemedLink | undefined> {
  if (!isToken(token)) return undefined;
  const found = await client.query<{ user_id: string; made_by: string | null }>(
    "select user_id, made_by from sign_in_links where token_hash = $1",
    [hashToken(token)],
  );
  if (!found.rows[0]) return undefined;
  await lockAccounts(client, [found.rows[0].user_id, found.rows[0].made_by]);
  const { rows } = await client.query<{ user_id: string; made_by: string | null; by_operator: boolean }>(
    `update sign_in_links as link set used_at = now()
     from users
     where link.token_hash = $1 and link.used_at is null and link.expires_at > now()
       and users.id = link.user_id and ${mayEnter("users")}
       and ${mayStillInvite("link.made_by", "link.organization_id", "link.by_operator")}
     returning link.user_id, link.made_by, link.by_operator`,
    [hashToken(token)],
  );
  const link = rows[0];
  return link && { userId: link.user_id, madeBy: link.made_by, byOperator: link.by_operator };
}

/**
 * A condition: whether whoever made a link or an invitation may still make it. Null and by an operator: the command line made it.
 * Null and not by an operator: release 1.1.0 made it, so nobody knows whose access it should end with.
 */
export function mayStillInvite(maker: string, organization: string, byOperator: string): string {
  return `(${maker} is null and ${byOperator} or exists (
    select from users as maker where maker.id = ${maker} and ${mayEnter("maker")}
      and (maker.role = 'operator' or not ${byOperator} and ${roleIn(organization, "maker")} = 'admin')
  ))`;
}

/**
 * Ends the links that somebody made in an organization, and the sessions that these opened, because the maker could have opened
 * them. Null: in all organizations. Their account is locked.
 */
export async function endLinksMadeBy(
  client: pg.ClientBase,
  makerId: string,
  organizationId: string | null,
): Promise<void> {
  const inOrganization = "($2::uuid is null or organization_id = $2)";
  const values = [makerId, organizationId];
  await client.query(
    `update memberships set invitation_hash = null, invitation_expires_at = null
     where invitation_made_by = $1 and accepted_at is null and ${inOrganization}`,
    values,
  );
  await client.query(`delete from sign_in_links where made_by = $1 and ${inOrganization}`, values);
  await client.query(
    `delete from sessions where link_made_by = $1 and ($2::uuid is null or user_id in (
       select user_id from ${everyMembership} as membership where organization_id = $2
     ))`,
    values,
  );
}

/** The token stands behind the #, which browsers never send: it reaches no log, and a preview does not use it up. */
export function signInAddress(consoleAddress: string, token: string): string {
  return `${consoleAddress}/sign-in#token=${token}`;
}
