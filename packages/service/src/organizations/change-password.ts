import type pg from "pg";
import { transaction, type Connection } from "../database/transaction.js";
import type { Actor } from "../audit/audit.js";
import { InvalidInput, NothingFound } from "../refusals/invalid-input.js";
import { auditAccount } from "./audit-account.js";
import { endAllAccess, mayEnter } from "./memberships.js";
import { lockOwnAccount, type OnOwnAccount } from "./own-account.js";
import { hashPassword, passwordMatches } from "./passwords.js";

interface UserRow {
  email: string;
  password_hash: string | null;
}

interface ProvingWho extends OnOwnAccount {
  /** Whether they came by a one-time link. */
  byLink: boolean;
  currentPassword?: string | undefined;
}

/**
 * Sets a person's password and ends all their sessions: whoever had got hold of one is out. Whoever has a password
 * must know it, unless a one-time link has told who they are: that is the way in for someone who lost it.
 */
export async function changePassword(
  connection: Connection,
  input: ProvingWho & { newPassword: string; actor: Actor },
): Promise<void> {
  await transaction(connection, async (client) => {
    const user = await requireCurrentPassword(client, input);
    const newHash = await hashPassword(input.newPassword, user.email);
    await client.query("update users set password_hash = $2 where id = $1", [input.userId, newHash]);
    await endAllAccess(client, input.userId);
    await auditAccount(client, input.userId, { actor: input.actor, action: "user.change-password" });
  });
}

/** Before anything about their sign-in changes, so that a page left open is not enough for it. Locks the account. */
export async function requireCurrentPassword(client: pg.ClientBase, input: ProvingWho): Promise<UserRow> {
  await lockOwnAccount(client, input);
  const { rows } = await client.query<UserRow>(
    `select email, password_hash from users where id = $1 and ${mayEnter("users")}`,
    [input.userId],
  );
  const user = rows[0];
  if (!user) throw new NothingFound(`There is no user ${input.userId}`);
  if (
    !input.byLink &&
    user.password_hash !== null &&
    !(await passwordMatches(user.password_hash, input.currentPassword ?? ""))
  ) {
    throw new InvalidInput("The current password is incorrect");
  }
  return user;
}
