import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { environment, flags, type CommandResult } from "./command.js";
import {
  leave,
  newPlaceWithDatabase,
  startService,
  stop,
  type Place,
  type RunningService,
} from "./running-service.js";

let place: Place;
let service: RunningService;
let organization: string;
let key: { uuid: string; key: string };
let location: { uuid: string };

const run = (...commandArguments: string[]): Promise<CommandResult> =>
  place.gatehouse([...commandArguments, "--json"]);
const uuidShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const timestampShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function statusWith(value: string): Promise<number> {
  return (await service.send("/integrations/locations", { key: value })).status;
}

/** Commands that an operator scripts before any service has run. */
beforeAll(async () => {
  place = await newPlaceWithDatabase();
  expect((await run("migrate")).json.applied).not.toEqual([]);
  const created = await run("organization", "create", "--name", "Acme Parking");
  organization = created.json.uuid;
  expect(created.json).toEqual({
    uuid: expect.stringMatching(uuidShape),
    name: "Acme Parking",
    createdAt: expect.stringMatching(timestampShape),
  });
  const fields = {
    name: "North",
    address: "1 Main St",
    city: "Chicago",
    state: "IL",
    zipcode: "60601",
    timeZone: "America/Chicago",
    tpReferenceId: "N-1",
  };
  location = (await run("location", "create", ...flags({ organization, ...fields }))).json;
  expect(location).toEqual({ uuid: expect.stringMatching(uuidShape), ...fields, isActive: true });
  key = (await run("api-key", "create", "--organization", organization, "--name", "Back end")).json;
  expect(key).toEqual({
    uuid: expect.stringMatching(uuidShape),
    name: "Back end",
    key: expect.stringMatching(/^ghk_[0-9A-Za-z]{36}$/),
    prefix: key.key.slice(0, 10),
    permissions: [
      "leads:write",
      "transactions:write",
      "accounts:write",
      "subscriptions:write",
      "locations:read",
      "imports:read",
    ],
    expiresAt: null,
    createdAt: expect.stringMatching(timestampShape),
  });
  service = await startService(place);
});
afterAll(async () => {
  await stop(service);
  await leave(place);
});

test("an organization that was set up without a service can import, and the command line shows the import", async () => {
  expect(service.demo).toBeNull();
  const transactionId = "T-1";
  const metadata = '{"big":12345678901234567890,"__proto__":1,"nul":"\\u0000"}';
  const imported = await service.send("/integrations/transactions", {
    key: key.key,
    method: "POST",
    headers: { "content-type": "application/json" },
    body: {
      metadata: { night: 1 },
      transactions: [
        {
          transactionId,
          locationUuid: location.uuid,
          type: 1,
          transactionDate: "2026-07-01T03:30:00Z",
          amountTotal: 10.5,
          contact: { email: "jo@example.com" },
          metadata: JSON.parse(metadata),
        },
        { transactionId: "T-2" },
      ],
    },
  });
  expect(imported.status).toBe(200);

  const shown = await run("record", "show", "transaction", transactionId, "--organization", organization);
  expect(shown.json).toMatchObject({
    uuid: imported.json.results[0].uuid,
    timeZone: "America/Chicago",
    localDate: "2026-06-30",
    amountTotal: 10.5,
    importReferenceUuid: imported.json.referenceUuid,
    accountUuid: null,
  });
  const contact = await run("record", "show", "contact", "JO@example.com", "--organization", organization);
  expect(contact.json.uuid).toBe(shown.json.contactUuid);

  const runShown = await run("import", "show", imported.json.referenceUuid, "--organization", organization);
  expect(runShown.json).toEqual({ ...imported.json, metadata: { night: 1 } });
  const verified = await run("verify", "--organization", organization);
  expect(verified.json).toMatchObject({ ok: true, organizations: 1 });
  expect(verified.json.checks.every((check: { violations: number }) => check.violations === 0)).toBe(true);
});

test("a run is undone after a preview, and only if nothing has changed since", async () => {
  const account = { tpReferenceId: "undone", name: "Acme" };
  const send = () => service.send("/integrations/accounts", { key: key.key, body: { accounts: [account] } });
  const { referenceUuid } = (await send()).json;
  const undo = (...more: string[]) =>
    run("import", "undo", referenceUuid, "--organization", organization, ...more);
  const shown = (await undo()).json;
  expect(shown).toEqual({
    version: expect.any(String),
    until: expect.stringMatching(timestampShape),
    removed: [{ kind: "accounts", count: 1 }],
    kept: [],
    acknowledged: { count: 0, examples: [] },
  });
  await send();
  const refused = await undo("--confirm", shown.version);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr).toContain("have changed since the preview");
  const { version } = (await undo()).json;
  const undone = (await undo("--confirm", version)).json;
  expect(undone).toMatchObject({ by: "command line", count: 1, keptCount: 0 });
  expect((await undo("--confirm", version)).json).toEqual(undone);
  expect((await send()).json.results[0].status).toBe(1);
  const people = await place.gatehouse(["import", "undo", referenceUuid, "--organization", organization]);
  expect(people.stdout).toContain("Nothing was changed.");
});

test("keys are listed, rotated with an overlap and revoked, and the service applies it at once", async () => {
  const limited = await run(
    "api-key",
    "create",
    ...flags({
      organization,
      name: "Web",
      permission: ["leads:write", "imports:read"],
      expiresAt: "2099-01-01T00:00:00Z",
    }),
  );
  expect(limited.json).toMatchObject({
    permissions: ["leads:write", "imports:read"],
    expiresAt: "2099-01-01T00:00:00.000Z",
  });
  expect(await statusWith(limited.json.key)).toBe(403);

  const first = (await run("api-key", "create", "--organization", organization, "--name", "Old")).json;
  const successor = (await run("api-key", "rotate", first.uuid, "--overlap", "24h")).json;
  expect(Object.keys(successor)).toEqual(Object.keys(first));
  expect([await statusWith(first.key), await statusWith(successor.key)]).toEqual([200, 200]);
  await run("api-key", "revoke", first.uuid);
  expect([await statusWith(first.key), await statusWith(successor.key)]).toEqual([401, 200]);

  const listed = (await run("api-key", "list", "--organization", organization)).json;
  expect(listed.map((one: { name: string }) => one.name)).toEqual(["Old", "Old", "Web", "Back end"]);
  expect(JSON.stringify(listed)).not.toContain(successor.key);
});

test("locations are changed and imported, organizations configured, users created", async () => {
  const updated = await run("location", "update", location.uuid, "--inactive", "--city", "Evanston");
  expect(updated.json).toMatchObject({
    uuid: location.uuid,
    isActive: false,
    city: "Evanston",
    name: "North",
  });

  const file = path.join(place.dataDirectory, "locations.csv");
  await writeFile(
    file,
    "name,address,city,state,zipcode,timeZone\nSouth,2 Main St,Kolkata,WB,700016,Asia/Kolkata\n",
  );
  const importing = ["location", "import", "--organization", organization, file];
  expect((await run(...importing, "--dry-run")).json).toMatchObject({ created: 1 });
  expect((await run(...importing)).json).toMatchObject({ created: 1, updated: 0, unchanged: 0 });
  expect((await run(...importing)).json).toMatchObject({ created: 0, unchanged: 1 });

  const secret = path.join(place.dataDirectory, "captcha.secret");
  await writeFile(secret, "s3cret\n");
  const configured = await run(
    "organization",
    "configure",
    organization,
    ...flags({
      captcha: "turnstile",
      captchaSecretFile: secret,
      honeypotField: "website",
      leadOrigin: "https://www.example.com",
    }),
  );
  expect(configured.json).toMatchObject({
    captchaType: "turnstile",
    honeypotField: "website",
    leadOrigins: ["https://www.example.com"],
  });
  expect(configured.stdout).not.toContain("s3cret");
  expect((await run("organization", "configure", organization, "--captcha", "off")).json).toMatchObject({
    captchaType: null,
    honeypotField: "website",
  });

  const user = await place.gatehouse(
    [
      "user",
      "create",
      "--email",
      "jo@example.com",
      "--role",
      "viewer",
      "--organization",
      organization,
      "--json",
    ],
    "correct horse\n",
  );
  expect(user.json).toMatchObject({
    email: "jo@example.com",
    role: "viewer",
    organizationUuid: organization,
  });
});

test("migrate and demo report what they did, and running them twice changes nothing", async () => {
  expect((await run("migrate")).json).toEqual({ applied: [] });
  expect((await run("demo")).json).toMatchObject({ created: true, apiKey: { key: expect.any(String) } });
  expect((await run("demo")).json).toMatchObject({ created: false, apiKey: null });
});

test("a terminal gets help and tables, a pipe gets no colours; errors go to stderr with exit code 1", async () => {
  const table = await place.gatehouse(["organization", "list"]);
  expect(table.stdout).toMatch(/^UUID +Name +Created\n/);
  expect(table.stdout).not.toContain("\u001b");
  const help = await place.gatehouse(["api-key", "rotate", "--help"]);
  expect(help.exitCode).toBe(0);
  expect(help.stdout).toContain("$ gatehouse api-key rotate UUID --overlap 7d");
  for (const [commandArguments, message] of [
    [["organization", "create", "--name", " "], /name must not be empty/],
    [
      ["record", "show", "transaction", "nothing", "--organization", organization],
      /There is no transaction nothing/,
    ],
    [["api-key", "rotate", key.uuid, "--overlap", "soon"], /"soon" is not a duration/],
    [
      ["distribute"],
      /^The database server does not have the Citus extension.*docs\/explanation\/scaling\.md/,
    ],
    [["organisation"], /unknown command 'organisation'\n\(Did you mean organization\?\)/],
  ] as [string[], RegExp][]) {
    const result = await place.gatehouse([...commandArguments, "--json"]);
    expect(result.exitCode, commandArguments.join(" ")).toBe(1);
    expect(result.stderr).toMatch(message);
    expect(result.stdout).toBe("");
  }
});

test("output that cannot be written because the disk is full gets a clear error", async () => {
  const line = `exec "${process.execPath}" "${place.program}" organization list > /dev/full`;
  const listing = promisify(execFile)("sh", ["-c", line], { env: environment(place.variables) });
  await expect(listing).rejects.toMatchObject({
    code: 1,
    stderr: "The output could not be written: The disk is full.\n",
  });
});
