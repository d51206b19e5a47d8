import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  defaultPermissions,
  importResourceNames,
  permissions as allPermissions,
} from "@gatehouse-parking/contract";
import type { Sample } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createApiKey, revokeApiKey } from "../../../../service/src/core/organizations/api-keys.js";
import { listen } from "../../../../service/src/core/server/servers.js";
import { loadOrCreateCertificate } from "../../../../service/src/core/server/tls/certificates.js";
import { signedIn } from "../../../../service/testing/console.js";
import { useApp } from "../../../../service/testing/harness.js";
import { sampleOrganization } from "../../../../service/testing/sample-organization.js";
import { firstImportCommand } from "../../core/imports/curl-commands.js";
import { testCommand } from "../../core/api-keys/test-command.js";
import { recordKinds } from "../../core/records/record-kinds.js";
import type { ApiAddress } from "../../core/session/api-address.js";
import { curlOf } from "./curl.js";

const folder = await mkdtemp(join(tmpdir(), "gatehouse-commands-"));
// The published limits, so that the sample that shows one reaches it.
const gatehouse = useApp({ limits: {}, dataDirectory: folder }, listenOverTls);
let samples: Sample[];
let api: ApiAddress;
let keys: Record<string, string>;

async function listenOverTls(app: FastifyInstance): Promise<void> {
  const certificate = await loadOrCreateCertificate({ dataDirectory: folder });
  const { httpsPort, httpPort } = await listen(app, {
    host: "127.0.0.1",
    httpsPort: 0,
    httpPort: 0,
    certificate,
  });
  api = {
    origin: `https://localhost:${httpsPort}`,
    plainOrigin: `http://localhost:${httpPort}`,
    authority: await readFile(certificate.caFile, "utf8"),
  };
}

beforeAll(async () => {
  const { organizationId, apiKey } = await sampleOrganization(gatehouse, { isDemo: true });
  const { key } = await createApiKey(gatehouse.database.work, {
    organizationId,
    name: "Reads runs",
    permissions: ["imports:read"],
    actor: "test",
  });
  keys = { GATEHOUSE_API_KEY: apiKey, GATEHOUSE_LIMITED_API_KEY: key };
  const operator = await signedIn(gatehouse, "operator");
  samples = (await operator.get(`/organizations/${organizationId}/sandbox`)).json.samples;
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it("every sandbox command, run by a shell, gets the expected status and reason code", async () => {
  const wrong: string[] = [];
  let address = 0;
  for (const { name, requests, expectedStatus, reasonCode } of samples) {
    // Leads are limited per address, so each sample gets another address.
    address += 1;
    let last: Answer | undefined;
    for (const request of requests)
      last = await send(readByShell(curlOf(api, request)), `192.0.2.${address}`);
    if (last === undefined) continue;
    const code = reasonCode === undefined ? undefined : JSON.parse(last.body).results.at(-1).reasonCode;
    if (last.status !== expectedStatus || code !== reasonCode)
      wrong.push(`${name}: ${last.status} ${code} ${last.body.slice(0, 200)}`);
  }
  expect(wrong).toEqual([]);
  expect(samples.filter(({ requests }) => requests.length > 0).length).toBeGreaterThan(20);
});

it.each(recordKinds)("the command in the empty list of %s creates the first one", async (kind) => {
  const { organizationId, apiKey, locationUuid } = await gatehouse.tenant();
  const env = { GATEHOUSE_API_KEY: apiKey, LOCATION_UUID: locationUuid };
  const { status, body } = await send(readByShell(firstImportCommand(api, kind), env), "192.0.2.200");
  expect([status, body]).toEqual([200, expect.stringContaining('"failedCount":0')]);
  const { rows } = await gatehouse.database.work.query(`select from ${kind} where organization_id = $1`, [
    organizationId,
  ]);
  expect(rows).toHaveLength(1);
});

it("the test command of a new key works, stores nothing, and is refused once the key is revoked", async () => {
  const { work } = gatehouse.database;
  const { organizationId } = await gatehouse.tenant();
  const wrong: string[] = [];
  for (const permissions of [[...defaultPermissions], ...allPermissions.map((permission) => [permission])]) {
    const key = await createApiKey(work, { organizationId, name: "New", permissions, actor: "test" });
    const command = readByShell(testCommand(api, key).command, {});
    const [first] = permissions;
    const [works, refused] = first === "leads:write" && permissions.length === 1 ? [400, 403] : [200, 401];
    const before = await send(command, "192.0.2.201");
    await revokeApiKey(work, { keyId: key.uuid, actor: "test" });
    const after = await send(command, "192.0.2.201");
    if (before.status !== works || after.status !== refused)
      wrong.push(`${permissions.join()}: ${before.status}, then ${after.status}`);
  }
  expect(wrong).toEqual([]);
  for (const table of ["leads", "import_runs", "uploads", ...importResourceNames]) {
    const { rows } = await work.query(`select from ${table} where organization_id = $1`, [organizationId]);
    expect(rows, table).toEqual([]);
  }
});

interface Command {
  method: string;
  url: URL;
  headers: Record<string, string>;
  body: Buffer;
  namesAuthority: boolean;
}

/** Replaces curl, which may not be installed. Prints its arguments and its standard input. */
const spy = String.raw`curl() {
  for argument; do printf '%s\0' "$argument"; done
  case "$argument" in @-) cat ;; esac
}`;
const maxOutputBytes = 16 * 1024 * 1024;

function readByShell(command: string, env = keys): Command {
  const output = execFileSync("sh", ["-c", `${spy}\n${command}`], { env, maxBuffer: maxOutputBytes });
  const told: string[] = [];
  let position = 0;
  for (let end = output.indexOf(0); end !== -1; end = output.indexOf(0, position)) {
    told.push(output.subarray(position, end).toString());
    position = end + 1;
  }
  const read: Command = {
    // As curl does: POST with a body, otherwise GET.
    method: told.some((word) => word === "-d" || word === "--data-binary") ? "POST" : "GET",
    url: new URL(api.origin),
    headers: {},
    body: Buffer.alloc(0),
    namesAuthority: false,
  };
  while (told.length > 0) {
    const word = told.shift() as string;
    if (!word.startsWith("-")) {
      read.url = new URL(word);
      continue;
    }
    const value = told.shift() as string;
    const [header = "", ...rest] = value.split(": ");
    if (word === "-X") read.method = value;
    else if (word === "-H") read.headers[header] = rest.join(": ");
    else if (word === "--data-binary" || word === "-d")
      read.body = value === "@-" ? output.subarray(position) : Buffer.from(value);
    else if (word === "--cacert") read.namesAuthority = true;
    else throw new Error(`curl was called with ${word}`);
  }
  return read;
}

interface Answer {
  status: number;
  body: string;
}

async function send(command: Command, address: string): Promise<Answer> {
  const isSecure = command.url.protocol === "https:";
  const options = {
    method: command.method,
    agent: false,
    headers: {
      ...command.headers,
      "content-length": command.body.length,
      "x-forwarded-for": address,
    },
    ...(command.namesAuthority ? { ca: api.authority as string } : {}),
  };
  return new Promise((resolve, reject) => {
    const sent = (isSecure ? requestSecure : requestPlain)(command.url, options, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      const done = () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces).toString() });
      // A body that is too large is refused before it has been read, and then the connection is closed.
      answer.on("end", done).on("error", done);
    });
    sent.on("error", reject).end(command.body);
  });
}
