import { defaultPermissions } from "@gatehouse-parking/contract";
import { describe, expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from "./api-keys.js";
import { UserError } from "../refusals/user-error.js";

const gatehouse = useApp();
const actor = "jo@example.com";
const hourMs = 3_600_000;

async function audit(organizationId: string) {
  const { rows } = await gatehouse.database.work.query<{
    action: string;
    actor: string;
    subject_id: string;
    detail: string;
  }>("select action, actor, subject_id, detail from audit_log where organization_id = $1 order by id", [
    organizationId,
  ]);
  return rows.map((row) => ({ ...row, detail: JSON.parse(row.detail) as unknown }));
}

const statusWith = async (key: string) =>
  (await gatehouse.send({ url: "/integrations/locations", key })).status;

async function newKey(options: Partial<Parameters<typeof createApiKey>[1]> = {}) {
  const { organizationId } = await gatehouse.tenant();
  const key = await createApiKey(gatehouse.database.work, {
    organizationId,
    name: "Nightly push",
    actor,
    ...options,
  });
  return { organizationId, key };
}

test("a valid key is listed, however many others were revoked since", async () => {
  const { organizationId, key } = await newKey();
  await gatehouse.database.work.query(
    `insert into api_keys (organization_id, id, name, prefix, hash, permissions, lead_origins, revoked_at)
     select organization_id, ('ffffffff-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, name, prefix,
       sha256(n::text::bytea || uuid_send(id)), permissions, lead_origins, now()
     from api_keys cross join generate_series(1, 5000) as n where id = $1`,
    [key.uuid],
  );
  const listed = await listApiKeys(gatehouse.database.work, organizationId);
  expect(listed).toHaveLength(5_000);
  expect(listed.filter(({ revokedAt }) => revokedAt === null).map(({ uuid }) => uuid)).toContain(key.uuid);
});

describe("creating keys", () => {
  test("an organization has at most 1,000 keys that are not revoked", async () => {
    const { organizationId, key } = await newKey();
    await gatehouse.database.work.query(
      `insert into api_keys (organization_id, id, name, prefix, hash, permissions, lead_origins)
       select organization_id, gen_random_uuid(), name, prefix, sha256(n::text::bytea), permissions, lead_origins
       from api_keys cross join generate_series(1, 1000) as n where id = $1
       limit 1000 - (select count(*) from api_keys where organization_id = $2)`,
      [key.uuid, organizationId],
    );
    const create = () => createApiKey(gatehouse.database.work, { organizationId, name: "One more", actor });
    await expect(create()).rejects.toThrow("1,000 API keys that are not revoked");
    await revokeApiKey(gatehouse.database.work, { keyId: key.uuid, organizationId, actor });
    expect(await create()).toMatchObject({ name: "One more" });
  });

  test("by default, a key can do what the specification asks for, and does not expire", async () => {
    const { organizationId, key } = await newKey();
    expect(key).toEqual({
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organizationUuid: organizationId,
      name: "Nightly push",
      key: expect.stringMatching(/^ghk_/),
      prefix: key.key.slice(0, 10),
      permissions: [...defaultPermissions],
      leadOrigins: [],
      leadLimit: null,
      createdAt: expect.stringMatching(/Z$/),
      expiresAt: null,
      revokedAt: null,
      replacedBy: null,
      lastUsedAt: null,
      lastUsedAddress: null,
    });
    expect(await statusWith(key.key)).toBe(200);
  });

  /** @covers R30 */
  test("the key is shown once: no table and no list contains it, only its hash is stored", async () => {
    const { organizationId, key } = await newKey();
    await statusWith(key.key);
    await rotateApiKey(gatehouse.database.work, { keyId: key.uuid, overlapMs: hourMs, actor });
    const secret = key.key.slice(key.prefix.length);

    const { rows: tables } = await gatehouse.database.work.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    );
    expect(tables.length).toBeGreaterThan(10);
    for (const { name } of tables) {
      const { rowCount } = await gatehouse.database.work.query(
        `select from ${name} as stored where strpos(stored::text, $1) > 0 or strpos(stored::text, encode($2, 'hex')) > 0`,
        [secret, Buffer.from(key.key)],
      );
      expect(rowCount, name).toBe(0);
    }
    expect(JSON.stringify(await listApiKeys(gatehouse.database.work, organizationId))).not.toContain(secret);
    expect(JSON.stringify(await audit(organizationId))).not.toContain(secret);
    expect(JSON.stringify(gatehouse.logged)).not.toContain(secret);
  });

  test("an invalid key is rejected with a reason, and leaves neither a key nor an audit entry", async () => {
    const { organizationId } = await gatehouse.tenant();
    const before = await audit(organizationId);
    const pool = gatehouse.database.work;
    const attempt = (input: object) =>
      createApiKey(pool, { organizationId, name: "x", actor, ...input } as never);
    await expect(attempt({ name: " " })).rejects.toThrow("name must not be empty");
    await expect(attempt({ name: "x".repeat(101) })).rejects.toThrow("at most 100 characters");
    await expect(attempt({ name: "a\u0000b" })).rejects.toThrow("U+0000");
    await expect(attempt({ name: "a\ud800" })).rejects.toThrow("surrogate");
    await expect(attempt({ permissions: ["imports:write"] })).rejects.toThrow('"imports:write" is not');
    await expect(attempt({ permissions: [] })).rejects.toThrow("at least one permission");
    await expect(attempt({ expiresAt: new Date(0) })).rejects.toThrow("future");
    await expect(attempt({ expiresAt: new Date("soon") })).rejects.toThrow("ISO 8601");
    await expect(attempt({ organizationId: "01a1dd0e-c298-72ae-9b8a-14211f028ea1" })).rejects.toThrow(
      "There is no organization",
    );
    await expect(attempt({ organizationId: "unknown" })).rejects.toThrow(UserError);
    expect(await audit(organizationId)).toEqual(before);
    expect(await listApiKeys(pool, organizationId)).toHaveLength(1);
  });

  test("names are measured in code points", async () => {
    const { key } = await newKey({ name: "🚗".repeat(100) });
    expect(key.name).toBe("🚗".repeat(100));
  });

  test("lead origins are stored in the form that browsers send", async () => {
    const { key } = await newKey({
      leadOrigins: [
        "https://WWW.Example.com/",
        "http://localhost:3000",
        "https://example.com:443",
        "https://müller.example",
      ],
    });
    expect(key.leadOrigins).toEqual([
      "https://www.example.com",
      "http://localhost:3000",
      "https://example.com",
      "https://xn--mller-kva.example",
    ]);
    for (const origin of [
      "*",
      "example.com",
      "https://example.com/path",
      "https://example.com?q",
      "https://user@example.com",
      "https:example.com",
      "ftp://example.com",
      "https://",
      "https://exa mple.com",
      "null",
    ])
      await expect(newKey({ leadOrigins: [origin] }), origin).rejects.toThrow("is not an origin");
    await expect(newKey({ leadOrigins: Array(21).fill("https://example.com") })).rejects.toThrow(
      "at most 20",
    );
  });
});

describe("revoking keys", () => {
  test("a revoked key is rejected permanently from that moment on", async () => {
    const { organizationId, key } = await newKey();
    const revoked = await revokeApiKey(gatehouse.database.work, { keyId: key.uuid, actor });
    expect(revoked.revokedAt).toMatch(/Z$/);
    expect(await statusWith(key.key)).toBe(401);
    const again = await revokeApiKey(gatehouse.database.work, { keyId: key.uuid, actor });
    expect(again.revokedAt).toBe(revoked.revokedAt);
    expect((await audit(organizationId)).filter(({ action }) => action === "api-key.revoke")).toHaveLength(1);
  });

  test("an unknown key and a key of another organization are not found", async () => {
    const { key } = await newKey();
    const other = await gatehouse.tenant();
    const pool = gatehouse.database.work;
    for (const input of [
      { keyId: "01a1dd0e-c298-72ae-9b8a-14211f028ea1", actor },
      { keyId: "nonsense", actor },
      { keyId: key.uuid, organizationId: other.organizationId, actor },
    ]) {
      await expect(revokeApiKey(pool, input)).rejects.toThrow(`There is no API key ${input.keyId}`);
      await expect(rotateApiKey(pool, { ...input, overlapMs: 0 })).rejects.toThrow("There is no API key");
    }
    expect(await statusWith(key.key)).toBe(200);
  });
});

describe("rotating keys", () => {
  test("the successor has the same permissions, and the old key works until the overlap ends", async () => {
    const { key } = await newKey({ permissions: ["locations:read"], leadOrigins: ["https://example.com"] });
    const pool = gatehouse.database.work;
    const successor = await rotateApiKey(pool, { keyId: key.uuid, overlapMs: 24 * hourMs, actor });
    expect(successor).toMatchObject({
      name: key.name,
      permissions: ["locations:read"],
      leadOrigins: ["https://example.com"],
      expiresAt: null,
    });
    expect(successor.key).not.toBe(key.key);
    expect(await statusWith(key.key)).toBe(200);
    expect(await statusWith(successor.key)).toBe(200);

    const [, old] = await listApiKeys(pool, key.organizationUuid);
    const remainingMs = Date.parse(old?.expiresAt ?? "") - Date.now();
    expect(remainingMs).toBeGreaterThan(23.9 * hourMs);
    expect(remainingMs).toBeLessThanOrEqual(24 * hourMs);
    await pool.query("update api_keys set expires_at = expires_at - interval '1 day' where id = $1", [
      key.uuid,
    ]);
    expect(await statusWith(key.key)).toBe(401);
    expect(await statusWith(successor.key)).toBe(200);
  });

  test("without an overlap the old key ends immediately", async () => {
    const { key } = await newKey();
    const successor = await rotateApiKey(gatehouse.database.work, { keyId: key.uuid, overlapMs: 0, actor });
    expect(await statusWith(key.key)).toBe(401);
    expect(await statusWith(successor.key)).toBe(200);
  });

  test("the successor of an expiring key has the same lifetime, and an overlap never extends the old key", async () => {
    const { key } = await newKey({ expiresAt: new Date(Date.now() + hourMs) });
    const pool = gatehouse.database.work;
    const begunMs = Date.now();
    const successor = await rotateApiKey(pool, { keyId: key.uuid, overlapMs: 24 * hourMs, actor });
    const lifeMs = Date.parse(key.expiresAt ?? "") - Date.parse(key.createdAt);
    const expiresMs = Date.parse(successor.expiresAt ?? "");
    expect(expiresMs).toBeGreaterThanOrEqual(begunMs + lifeMs);
    expect(expiresMs).toBeLessThanOrEqual(Date.now() + lifeMs);
    const [, old] = await listApiKeys(pool, key.organizationUuid);
    expect(old?.expiresAt).toBe(key.expiresAt);
  });

  test("rotating a revoked or already rotated key, or with an invalid overlap, is rejected", async () => {
    const pool = gatehouse.database.work;
    const { key } = await newKey();
    for (const overlapMs of [-1, 91 * 24 * hourMs, Number.NaN])
      await expect(rotateApiKey(pool, { keyId: key.uuid, overlapMs, actor })).rejects.toThrow("90 days");
    const successor = await rotateApiKey(pool, { keyId: key.uuid, overlapMs: hourMs, actor });
    await expect(rotateApiKey(pool, { keyId: key.uuid, overlapMs: hourMs, actor })).rejects.toThrow(
      `rotate its successor ${successor.uuid}`,
    );
    await revokeApiKey(pool, { keyId: successor.uuid, actor });
    await expect(rotateApiKey(pool, { keyId: successor.uuid, overlapMs: 0, actor })).rejects.toThrow(
      "has been revoked",
    );
  });
});

test("every change is audited with its actor and the key", async () => {
  const { organizationId, key } = await newKey({ permissions: ["imports:read"] });
  const pool = gatehouse.database.work;
  const successor = await rotateApiKey(pool, { keyId: key.uuid, overlapMs: hourMs, actor });
  await revokeApiKey(pool, { keyId: successor.uuid, organizationId, actor });
  expect((await audit(organizationId)).filter((entry) => entry.actor === actor)).toEqual([
    {
      action: "api-key.create",
      actor,
      subject_id: key.uuid,
      detail: { name: "Nightly push", permissions: ["imports:read"], expiresAt: null },
    },
    {
      action: "api-key.rotate",
      actor,
      subject_id: key.uuid,
      detail: {
        name: "Nightly push",
        successor: successor.uuid,
        successorPrefix: successor.prefix,
        overlapMs: hourMs,
      },
    },
    { action: "api-key.revoke", actor, subject_id: successor.uuid, detail: { name: "Nightly push" } },
  ]);
});

test("a key with a wrong checksum is rejected without a query", async () => {
  const { key } = await newKey();
  const flipped = key.key.slice(0, -1) + (key.key.endsWith("0") ? "1" : "0");
  let asked = 0;
  gatehouse.database.gate.on("acquire", () => (asked += 1));
  for (const wrong of [flipped, "ghk_", "nonsense"]) expect(await statusWith(wrong)).toBe(401);
  expect(asked).toBe(0);
  expect(await statusWith(key.key)).toBe(200);
  expect(asked).toBe(1);
  gatehouse.database.gate.removeAllListeners("acquire");
});
