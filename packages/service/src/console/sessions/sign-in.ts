import type pg from "pg";
import { transaction } from "../../database/transaction.js";
import { writeAudit } from "../../audit/audit.js";
import { hashPassword, passwordMatches } from "../../organizations/passwords.js";
import { redeemSignInToken } from "../../organizations/sign-in-links.js";
import { emailKey } from "@gatehouse-parking/contract";
import { endSession, openSession, type OpenedSession } from "./sessions.js";

/** Where a sign-in comes from, and the session it replaces. */
export interface Visitor {
  address: string;
  userAgent: string | undefined;
  previousToken: string | undefined;
}

interface Candidate {
  id: string;
  password_hash: string | null;
}

/**
 * Undefined if e-mail and password do not fit. Somebody unknown costs as much time as somebody known: a password is
 * hashed in any case, so the clock does not tell who has an account.
 */
export async function signInByPassword(
  pool: pg.Pool,
  input: { email: string; password: string; visitor: Visitor },
): Promise<OpenedSession | undefined> {
  const { rows } = await pool.query<Candidate>(
    "select id, password_hash from users where email_key = $1 and disabled_at is null",
    [storable(emailKey(input.email))],
  );
  const candidate = rows[0];
  const matches = await passwordMatches(candidate?.password_hash ?? (await placeholder()), input.password);
  if (!candidate?.password_hash || !matches) return undefined;
  return transaction(pool, (client) => enter(client, candidate.id, "password", input.visitor));
}

/** Undefined if the link is unknown, used or expired. */
export async function signInByToken(
  pool: pg.Pool,
  input: { token: string; visitor: Visitor },
): Promise<OpenedSession | undefined> {
  return transaction(pool, async (client) => {
    const userId = await redeemSignInToken(client, input.token);
    return userId === undefined ? undefined : enter(client, userId, "link", input.visitor);
  });
}

/** A sign-in always makes a new token, so one that was planted or seen before is worth nothing. */
async function enter(
  client: pg.PoolClient,
  userId: string,
  by: "password" | "link",
  visitor: Visitor,
): Promise<OpenedSession> {
  if (visitor.previousToken) await endSession(client, visitor.previousToken);
  await client.query("delete from sign_in_links where expires_at < now()");
  const session = await openSession(client, { userId, ...visitor, byLink: by === "link" });
  const { rows } = await client.query<{ email: string; organization_id: string | null }>(
    "select email, organization_id from users where id = $1",
    [userId],
  );
  const { email, organization_id } = rows[0] as { email: string; organization_id: string | null };
  await writeAudit(client, {
    organizationId: organization_id,
    actor: { email, address: visitor.address },
    action: "user.sign-in",
    subjectId: userId,
    detail: { by },
  });
  return session;
}

let placeholderHash: Promise<string> | undefined;
function placeholder(): Promise<string> {
  placeholderHash ??= hashPassword("nobody has this password");
  return placeholderHash;
}

/** No stored address contains U+0000, which PostgreSQL takes in no parameter. */
function storable(text: string): string {
  return text.replaceAll("\u0000", "\uffff");
}
