import { permissions } from "@gatehouse-parking/contract";
import { expect, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { createApiKey, revokeApiKey } from "../organizations/api-keys.js";
import { generateApiKey } from "../gate/api-key-format.js";

const gatehouse = useApp();
const envelope = { success: false, message: expect.any(String), errors: [expect.any(String)] };

async function refusedWith(key: string | undefined) {
  const answer = await gatehouse.send({
    method: "POST",
    url: "/lead/submit",
    ...(key === undefined ? {} : { key }),
    headers: { "content-type": "application/json" },
    payload: "not even JSON",
  });
  expect(answer.json).toMatchObject(envelope);
  return answer.status;
}

/** @covers R18, R23-R25, reading 36 */
test("a missing, invalid, unknown, expired or revoked key: 403, before the body is read", async () => {
  const { organizationId } = await gatehouse.tenant();
  const pool = gatehouse.database.work;
  const create = () => createApiKey(pool, { organizationId, name: "another", actor: "test" });
  const expired = await create();
  await pool.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [
    expired.uuid,
  ]);
  const revoked = await create();
  await revokeApiKey(pool, { keyId: revoked.uuid, actor: "test" });

  for (const key of [undefined, "nonsense", generateApiKey(), expired.key, revoked.key]) {
    expect(await refusedWith(key)).toBe(403);
  }
});

/** @covers reading 37 */
test("a key without leads:write: 403, and the answer names the permission", async () => {
  const { apiKey } = await gatehouse.tenant({
    permissions: permissions.filter((permission) => permission !== "leads:write"),
  });
  const answer = await gatehouse.post("/lead/submit", apiKey, {});
  expect([answer.status, answer.json]).toEqual([
    403,
    expect.objectContaining({ ...envelope, errors: ["The key needs the permission leads:write"] }),
  ]);
});

test("a key with only leads:write can submit leads", async () => {
  const { apiKey, locationUuid } = await gatehouse.tenant({ permissions: ["leads:write"] });
  expect(
    (await gatehouse.post("/lead/submit", apiKey, { email: "jo@example.com", locationUuid })).status,
  ).toBe(200);
});

/** @covers reading 33 */
test("plain HTTP is rejected before the key is checked, without a redirect", async () => {
  const { apiKey } = await gatehouse.tenant();
  for (const key of [apiKey, "nonsense"]) {
    const answer = await gatehouse.send({
      method: "POST",
      url: "/lead/submit",
      key,
      headers: { "x-forwarded-proto": "http", "content-type": "application/json" },
      payload: "{}",
    });
    expect([answer.status, answer.json.message]).toEqual([403, "HTTPS is required"]);
  }
});

/** @covers reading 44 */
test("another method: 405 with Allow", async () => {
  for (const method of ["GET", "PUT", "DELETE", "HEAD"] as const) {
    const answer = await gatehouse.send({ method, url: "/lead/Submit" });
    expect([answer.status, answer.headers["allow"]]).toEqual([405, "POST"]);
  }
});
