import type pg from "pg";
import { invalidInput } from "../refusals/user-error.js";

/**
 * Checks a code of a user's second factor, counts the attempt and uses the code up, within the caller's transaction. The
 * two-factor feature provides it.
 */
export type VerifyCode = (client: pg.ClientBase, userId: string, code: string) => Promise<boolean>;

/** Without the two-factor feature, accounts that have a second factor stay closed to passwords and links. */
export const rejectEveryCode: VerifyCode = async () => false;

/** An SQL condition; `userId` is an expression. A second factor counts once a first code has confirmed it. */
export function hasSecondFactor(userId: string): string {
  return `exists (select from second_factors where user_id = ${userId} and confirmed_at is not null)`;
}

export type CodeCheck = "not needed" | "missing" | "correct" | "wrong";

/** Two sign-ins with the same code wait for each other here, and the second one finds it used. */
export async function checkCode(
  client: pg.ClientBase,
  verifyCode: VerifyCode,
  { userId, code }: { userId: string; code: string | undefined },
): Promise<CodeCheck> {
  if (!(await lockSecondFactor(client, userId))) return "not needed";
  if (code === undefined) return "missing";
  return (await verifyCode(client, userId, code)) ? "correct" : "wrong";
}

/** Refuses users without a second factor, and wrong codes. */
export async function requireCode(
  client: pg.ClientBase,
  verifyCode: VerifyCode,
  userId: string,
  code: string,
): Promise<void> {
  if (!(await lockSecondFactor(client, userId))) throw invalidInput("You have no second factor");
  if (!(await verifyCode(client, userId, code))) throw wrongCode();
}

export function wrongCode(): Error {
  return invalidInput("The code is incorrect or was already used. Enter the one that your app shows now");
}

/** Locks the second factor, and says whether it counts. */
async function lockSecondFactor(client: pg.ClientBase, userId: string): Promise<boolean> {
  const { rows } = await client.query<{ is_confirmed: boolean }>(
    "select confirmed_at is not null as is_confirmed from second_factors where user_id = $1 for update",
    [userId],
  );
  return rows[0]?.is_confirmed === true;
}

/** Says whether there was a confirmed one. */
export async function deleteSecondFactor(client: pg.ClientBase, userId: string): Promise<boolean> {
  const { rows } = await client.query<{ was_confirmed: boolean }>(
    "delete from second_factors where user_id = $1 returning confirmed_at is not null as was_confirmed",
    [userId],
  );
  await client.query("delete from recovery_codes where user_id = $1", [userId]);
  return rows[0]?.was_confirmed === true;
}
