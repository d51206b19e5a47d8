import { emailKey } from "@gatehouse-parking/contract";
import type pg from "pg";
import { hashToken, newToken } from "../src/core/organizations/secrets.js";
import { uuidv7 } from "../src/core/uuidv7.js";

/**
 * What an instance of release 1.1.0 (commit 6e29a973) writes to the database of this release, using its statements. It
 * does not know columns that this release has added.
 */

/** organizations/users.ts. Undefined: an account with this address exists. */
export async function addAccount(
  pool: pg.Pool,
  { organizationId, email, passwordHash }: { organizationId: string; email: string; passwordHash: string },
): Promise<string | undefined> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into users (id, email, email_key, password_hash, role, organization_id)
     values ($1, $2, $3, $4, $5, $6) on conflict (email_key) do nothing returning id`,
    [uuidv7(), email, emailKey(email), passwordHash, "viewer", organizationId],
  );
  return rows[0]?.id;
}

/** organizations/sign-in-links.ts, for an admin, an operator and the command line. */
export async function makeLink(pool: pg.Pool, userId: string): Promise<string> {
  const token = newToken();
  await pool.query(
    `insert into sign_in_links (token_hash, user_id, expires_at)
     values ($1, $2, now() + make_interval(hours => $3))`,
    [hashToken(token), userId, 24],
  );
  return token;
}

/** organizations/invitations.ts */
export async function renewInvitation(
  pool: pg.Pool,
  organizationId: string,
  invitationId: string,
): Promise<string> {
  const token = newToken();
  await pool.query(
    `update memberships set invitation_hash = $3, invitation_expires_at = now() + make_interval(hours => $4)
     where organization_id = $1 and id = $2 and accepted_at is null`,
    [organizationId, invitationId, hashToken(token), 24],
  );
  return token;
}

/** console/sessions/sessions.ts; returns the token of the session. */
export async function openSession(
  pool: pg.Pool,
  userId: string,
  by: "password" | "link" | "provider",
): Promise<string> {
  const token = newToken();
  await pool.query(
    `insert into sessions (token_hash, user_id, expires_at, address, user_agent, by_link, by_provider)
     values ($1, $2, now() + make_interval(hours => $3), $4, $5, $6, $7) returning expires_at`,
    [hashToken(token), userId, 7 * 24, "127.0.0.1", null, by === "link", by === "provider"],
  );
  return token;
}

/** organizations/configure-organization.ts, the columns that a change of retention sets. */
export async function saveRetention(
  pool: pg.Pool,
  organizationId: string,
  { retention, keepsDeletedKeys = false }: { retention: object | null; keepsDeletedKeys?: boolean },
): Promise<void> {
  await pool.query("update organizations set retention = $2, keeps_deleted_keys = $3 where id = $1", [
    organizationId,
    retention && JSON.stringify(retention),
    keepsDeletedKeys,
  ]);
}

/** undo/undo-run.ts, its changes to the counters of stored records. */
export async function countUndone(pool: pg.Pool, organizationId: string, records: number): Promise<void> {
  await pool.query(
    `update import_turns set records_net = records_net - $2, change_count = change_count + 1
     where organization_id = $1`,
    [organizationId, records],
  );
}
