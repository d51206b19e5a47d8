import { generateKeyPairSync } from "node:crypto";
import { expect, test } from "vitest";
import { generateApiKey } from "../../packages/service/dist/core/gate/api-key-format.js";
import { findSecrets } from "./secrets.js";

// Secrets are generated or assembled from pieces, so that this file contains none.
const { privateKey } = generateKeyPairSync("ed25519");
const secrets = {
  "a private key": privateKey.export({ type: "pkcs8", format: "pem" }),
  "a token of a well-known service": `ghp_${"wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx"}`,
  "an API key of Gatehouse": generateApiKey(),
  "a password in the address of a database": ["postgres://gatehouse", "kX9v2mQ7@db/gatehouse"].join(":"),
  "a password in any other address": ["https://jo", "kX9v2mQ7@example.com/"].join(":"),
};

test.each(Object.entries(secrets))("%s is found by its line, and not repeated", async (_what, secret) => {
  const problems = await findSecrets("made-up.txt", `first\nsecond ${secret} third\n`);
  expect(problems).not.toEqual([]);
  for (const problem of problems) expect(problem).toMatch(/^made-up\.txt:[23] has /);
  expect(problems.join()).not.toContain(secret.slice(0, 40));
});

test("placeholders and keys with a wrong checksum are not reported as secrets", async () => {
  const text = [
    "DATABASE_URL=postgres://gatehouse:password@localhost:5432/gatehouse",
    "`postgres://${user}:${password}@localhost`",
    `X-API-KEY: ghk_${"A".repeat(36)}`,
    "curl https://localhost:8443/integrations/locations",
  ].join("\n");
  expect(await findSecrets("made-up.md", text)).toEqual([]);
});
