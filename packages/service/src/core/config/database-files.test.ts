import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { problemsOf } from "../../../testing/config-problems.js";
import { issueLeaf, makeAuthority, makeKey } from "../server/tls/issue.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "gatehouse-database-files-"));
  const authority = await makeAuthority();
  const key = await makeKey();
  const names = { dns: ["client"], addresses: [] };
  const certificate = await issueLeaf({ ca: authority.certificate, caKey: authority.key, key, names });
  await writeFile(path.join(folder, "ca.pem"), authority.certificate);
  await writeFile(path.join(folder, "client.pem"), certificate);
  await writeFile(path.join(folder, "client-key.pem"), key);
});
afterAll(() => rm(folder, { recursive: true }));

const problemsWith = (query: string): readonly string[] =>
  problemsOf({
    DATABASE_URL: `postgres://a,b/x?sslmode=verify-full&${query.replaceAll("=@", `=${folder}/`)}`,
  });

test("a CA and a client certificate with its key are accepted", () => {
  expect(problemsWith("sslrootcert=@ca.pem&sslcert=@client.pem&sslkey=@client-key.pem")).toEqual([]);
});

test.each([
  ["sslrootcert=@absent.pem", /has sslrootcert=.*absent.pem, which cannot be read: ENOENT/],
  ["sslrootcert=@client-key.pem", /sslrootcert that holds no certificate/],
  ["sslrootcert=system", /Remove it to trust the CAs that Node.js trusts/],
  ["sslcert=@client.pem", /must have both sslcert and sslkey, or neither/],
  ["sslcert=@ca.pem&sslkey=@client-key.pem", /not a matching PEM certificate and key: .*mismatch/],
  ["sslcert=@client.pem&sslkey=@client.pem", /not a matching PEM certificate and key/],
])("%s is reported before anything starts", (query, problem) => {
  expect(problemsWith(query)).toEqual([expect.stringMatching(problem)]);
});
