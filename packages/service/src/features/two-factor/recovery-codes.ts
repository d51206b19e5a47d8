import { createHash, randomBytes } from "node:crypto";
import type pg from "pg";
import { toBase32 } from "./totp.js";

const codesOfASet = 10;
/** Eighty bits cannot be guessed even with the hashes, so a fast hash is enough. */
const codeBytes = 10;
const groups = /.{4}/g;
const longestTyped = 40;

/** Replaces all codes. The new ones are shown once, and only their hashes are stored. */
export async function replaceRecoveryCodes(client: pg.ClientBase, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codesOfASet }, () => toBase32(randomBytes(codeBytes)));
  await client.query("delete from recovery_codes where user_id = $1", [userId]);
  await client.query("insert into recovery_codes (user_id, code_hash) select $1, unnest($2::bytea[])", [
    userId,
    codes.map((code) => hashCode(userId, code)),
  ]);
  return codes.map((code) => (code.match(groups) ?? []).join("-"));
}

/** Whether it was one of the user's codes. Uses it up. */
export async function useRecoveryCode(
  client: pg.ClientBase,
  userId: string,
  typed: string,
): Promise<boolean> {
  if (typed.length > longestTyped) return false;
  const code = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  const { rowCount } = await client.query(
    "delete from recovery_codes where user_id = $1 and code_hash = $2",
    [userId, hashCode(userId, code)],
  );
  return rowCount === 1;
}

function hashCode(userId: string, code: string): Buffer {
  return createHash("sha256").update(`${userId} ${code}`).digest();
}
