import { createHash, createPrivateKey, generateKeyPairSync } from "node:crypto";
import { receiptAlgorithm, type ReceiptKey } from "@gatehouse-parking/contract";
import type pg from "pg";
import { writeAudit, type Actor } from "../../core/audit/audit.js";
import type { Database } from "../../core/database/pool.js";
import { transaction } from "../../core/database/transaction.js";
import { openSecret, sealSecret, type SecretKeySource } from "../../core/organizations/secrets.js";
import { invalidInput } from "../../core/refusals/user-error.js";
import type { SigningKey } from "./signed-receipt.js";

// All instances share the receipt keys through the database. At most one key is current. Private keys are
// encrypted with the service's secret key, so a copy of the database is not enough to sign.

/** Limited, because all keys stay published: one rotation a month for forty years. */
export const maxKeys = 500;

interface KeyRow {
  kid: string;
  public_key: Buffer;
  created_at: Date;
  retired_at: Date | null;
}

/** Oldest first. */
export async function listReceiptKeys(pool: pg.Pool): Promise<ReceiptKey[]> {
  const { rows } = await pool.query<KeyRow>(
    `select kid, public_key, created_at, retired_at from receipt_keys order by created_at, kid limit ${maxKeys}`,
  );
  return rows.map((row) => ({
    kty: "OKP",
    crv: "Ed25519",
    x: row.public_key.toString("base64url"),
    kid: row.kid,
    use: "sig",
    alg: receiptAlgorithm,
    createdAt: row.created_at.toISOString(),
    ...(row.retired_at === null ? {} : { retiredAt: row.retired_at.toISOString() }),
  }));
}

/**
 * Reads the current key and creates the first one if there is none. The pool `work` waits until the key is on
 * disk: if a power failure lost the key, its receipts could not be checked.
 */
export async function currentKey(
  database: Pick<Database, "gate" | "work">,
  secretKey: SecretKeySource,
): Promise<SigningKey> {
  const stored = await findCurrent(database.gate);
  if (stored) return openKey(stored, await secretKey.find());
  await createFirst(database.work, await secretKey.findOrMake());
  const created = await findCurrent(database.gate);
  if (!created) throw new Error("the receipt key that was just created is missing");
  return openKey(created, await secretKey.find());
}

interface StoredKey {
  kid: string;
  sealed_private_key: Buffer;
}

async function findCurrent(client: pg.Pool | pg.ClientBase): Promise<StoredKey | undefined> {
  const { rows } = await client.query<StoredKey>(
    "select kid, sealed_private_key from receipt_keys where retired_at is null",
  );
  return rows[0];
}

/** If two instances start together, only the first one inserts its key. */
async function createFirst(pool: pg.Pool, secretKey: Buffer): Promise<void> {
  await transaction(pool, async (client) => {
    const kid = await insertNew(client, secretKey);
    if (kid !== undefined) await auditNew(client, { actor: "service", kid });
  });
}

export interface Rotation {
  /** The new key. */
  kid: string;
  /** The key that it replaced; absent if there was none. */
  retiredKid?: string;
}

/**
 * Replaces the current key. The caller must have the secret key of the instances, because they cannot decrypt a key that was
 * encrypted with another one. `isSecretLost` skips that check.
 */
export async function rotateReceiptKey(
  pool: pg.Pool,
  secretKey: SecretKeySource,
  { actor, isSecretLost = false }: { actor: Actor; isSecretLost?: boolean },
): Promise<Rotation> {
  return transaction(pool, async (client) => {
    // Blocks other rotations, but not readers.
    await client.query("lock table receipt_keys in share row exclusive mode");
    const current = await findCurrent(client);
    if (current && !isSecretLost) await requireSameSecret(current, secretKey);
    await requireCapacity(client);
    await client.query("update receipt_keys set retired_at = clock_timestamp() where retired_at is null");
    const kid = (await insertNew(client, await secretKey.findOrMake())) as string;
    const retiredKid = current?.kid;
    await auditNew(client, { actor, kid, retiredKid });
    return { kid, ...(retiredKid === undefined ? {} : { retiredKid }) };
  });
}

async function requireSameSecret(current: StoredKey, secretKey: SecretKeySource): Promise<void> {
  try {
    openKey(current, await secretKey.find());
  } catch (error) {
    throw invalidInput(
      `The secret key of this command is not the one of the service. ${(error as Error).message}. Run it with the GATEHOUSE_SECRET_KEY or the data folder of the service. If that key is lost, add --secret-lost`,
    );
  }
}

async function requireCapacity(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ count: number }>("select count(*)::int as count from receipt_keys");
  if ((rows[0]?.count ?? 0) >= maxKeys)
    throw invalidInput(
      `There are already ${maxKeys} keys. No more can be created, because all keys stay published`,
    );
}

/** The new key's kid; undefined if there is a current key. */
async function insertNew(client: pg.ClientBase, secretKey: Buffer): Promise<string | undefined> {
  const { d, x } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }) as {
    d: string;
    x: string;
  };
  const kid = thumbprint(x);
  const { rowCount } = await client.query(
    "insert into receipt_keys (kid, public_key, sealed_private_key) values ($1, $2, $3) on conflict do nothing",
    [kid, Buffer.from(x, "base64url"), sealSecret(secretKey, kid, JSON.stringify({ d, x }), "receipt key")],
  );
  return rowCount === 1 ? kid : undefined;
}

/** The required members in the order of their names (RFC 7638, applied as in RFC 8037). */
function thumbprint(x: string): string {
  return createHash("sha256")
    .update(JSON.stringify({ crv: "Ed25519", kty: "OKP", x }))
    .digest("base64url");
}

function openKey({ kid, sealed_private_key: sealed }: StoredKey, secretKey: Buffer): SigningKey {
  const { d, x } = JSON.parse(openSecret(secretKey, kid, sealed, "receipt key")) as { d: string; x: string };
  return { kid, privateKey: createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x }, format: "jwk" }) };
}

async function auditNew(
  client: pg.ClientBase,
  { actor, kid, retiredKid }: { actor: Actor; kid: string; retiredKid?: string | undefined },
): Promise<void> {
  const action = retiredKid === undefined ? "receipt-key.create" : "receipt-key.rotate";
  const detail = { kid, ...(retiredKid === undefined ? {} : { retiredKid }) };
  await writeAudit(client, { organizationId: null, actor, action, detail });
}
