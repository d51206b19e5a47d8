import type pg from "pg";
import { everyMembership, lockAccounts, mayEnter, roleIn } from "./memberships.js";
import { hashToken, isToken, newToken } from "./secrets.js";

export const signInLinkHours = 24;

/**
 * The maker of a link and the organization. "operator": the command line or the start of the service, whose
 * access never ends.
 */
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

/** A redeemed link. */
export interface RedeemedLink {
  userId: string;
  madeBy: string | null;
  /** Whether an operator made it, which proves who the person is. */
  byOperator: boolean;
}

/**
 * Uses the token up. Undefined if it is unknown, used or expired, its user is disabled, or its maker may no longer
 * make one. Locks both users before the link, in the same order as everything that ends links.
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
 * SQL condition: the maker of a link or an invitation may still make it. Null and by an operator: the command line
 * made it. Null and not by an operator: release 1.1.0 made it without recording the maker, so it is invalid.
 */
export function mayStillInvite(maker: string, organization: string, byOperator: string): string {
  return `(${maker} is null and ${byOperator} or exists (
    select from users as maker where maker.id = ${maker} and ${mayEnter("maker")}
      and (maker.role = 'operator' or not ${byOperator} and ${roleIn(organization, "maker")} = 'admin')
  ))`;
}

/**
 * Ends the links that a user made in an organization, and the sessions that they opened, because the maker could
 * have opened them. Null: in all organizations. The account of the maker is locked.
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

/** Browsers do not send what follows the #, so the token is in no log and a link preview does not use it up. */
export function signInAddress(consoleAddress: string, token: string): string {
  return `${consoleAddress}/sign-in#token=${token}`;
}
