import { mkdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createApiKey, revokeApiKey } from "../../../service/src/core/organizations/api-keys.js";
import {
  CertificateError,
  ConnectionError,
  GatehouseError,
  RateLimitedError,
  ServerError,
  SetupError,
  UnauthorizedError,
} from "../errors.js";
import { createPushTenant } from "../../testing/push-tenant.js";
import { useLiveService } from "../../testing/live-service.js";
import { readResults, runPush } from "../../testing/run-push.js";
import { isTemporary } from "./messages.js";
import { exitCodeOf } from "./output/summary.js";
import { proxyFor } from "./transport.js";

const live = useLiveService();

const header = "transactionId,locationUuid,type,transactionDate,amountTotal,cardType";
const row = (id: string, location: string, amount = "12.50", card = "VISA") =>
  `${id},${location},1,2026-04-01T14:30:00Z,${amount},${card}`;
const rows = (count: number, location: string, amount?: string) =>
  Array.from({ length: count }, (_, index) => row(`T-${index}`, location, amount)).join("\n");

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test("another key of the same organization continues a push, even when the first key was revoked", async () => {
  const { file, push, requests, folder, locationUuid, organizationId } = await createPushTenant(live);
  const csv = await file("sessions.csv", `${header}\n${rows(3, locationUuid)}\n`);
  expect(await push(["transactions", csv])).toMatchObject({ code: 0 });
  const pool = live.gatehouse.database.work;
  const { rows: keys } = await pool.query("select id from api_keys where organization_id = $1", [
    organizationId,
  ]);
  await revokeApiKey(pool, { keyId: keys[0].id, actor: "test" });
  const refused = await push(["transactions", csv]);
  expect(refused).toMatchObject({ code: 0, out: expect.stringMatching(/created +3\n/) });

  await writeFile(csv, `${header}\n${rows(5, locationUuid)}\n`);
  expect(await push(["transactions", csv])).toMatchObject({ code: 1 });
  const other = await createApiKey(pool, {
    ...{ organizationId, name: "next", actor: "test" },
    permissions: ["transactions:write", "imports:read"],
  });
  await writeFile(join(folder, "key.txt"), other.key);
  const resumed = await push(["transactions", csv]);
  expect(resumed).toMatchObject({ code: 0, error: expect.stringContaining("continuing after record 3") });
  expect(resumed.out).toMatch(/created +5\n/);
  expect(requests()).toBe(2);
});

test("only records with an internal error are resent automatically", async () => {
  const { file, push, folder, locationUuid } = await createPushTenant(live);
  const pool = live.gatehouse.database.work;
  await pool.query("alter table transactions add constraint no_poison check (card_type <> 'poison')");
  let healed: Promise<unknown> | undefined;
  live.onAnswer = () => (healed ??= pool.query("alter table transactions drop constraint no_poison"));
  onTestFinished(() => {
    live.onAnswer = undefined;
  });
  const content = `${header}\n${row("T-1", locationUuid)}\n${row("T-2", locationUuid, "1", "poison")}\n`;
  const { code, out, error } = await push(["transactions", await file("sessions.csv", content)]);
  await healed;
  expect(code).toBe(0);
  expect(out).toMatch(/2 transactions in [2-4] requests/);
  expect(out).toMatch(/created +2\n +skipped +0/);
  expect(error).toContain("some records failed with an internal error (99) and are resent");
  const results = await readResults(join(folder, "sessions.push"));
  expect(results).toMatchObject([{ outcome: "Created" }, { outcome: "Created" }]);
  expect(results[0].run).not.toBe(results[1].run);
});

test("the advice matches the problem with the address", async () => {
  const { file, folder, apiKey, locationUuid } = await createPushTenant(live);
  const csv = await file("sessions.csv", `${header}\n${row("T-1", locationUuid)}\n`);
  const environment = { GATEHOUSE_API_KEY: apiKey };
  const push = (url: string) =>
    runPush(["transactions", csv, "--output", join(folder, "out"), "--ca", live.caFile, "--url", url], {
      environment,
    });
  const plain = createServer((_request, response) => response.writeHead(503).end());
  const port = await listen(plain);
  const spoken = await push(`https://localhost:${port}`);
  expect(spoken).toMatchObject({ code: 1, error: expect.stringContaining("The port uses plain HTTP") });
  const environmentOnly = await runPush(["locations", "--url", live.url], { environment });
  expect(environmentOnly).toMatchObject({ code: 1, error: expect.stringContaining("add --ca FILE") });
  const stop = new AbortController();
  const plainly = await runPush(["transactions", csv, "--url", live.url.replace("https:", "http:")], {
    environment,
    stop: stop.signal,
    onError: (text) => text.includes("retrying in") && stop.abort(new Error("stopped")),
  });
  expect(plainly.error).toContain("If the port speaks HTTPS, the address must begin with https://");
  expect(stop.signal.aborted).toBe(true);
  expect((await runPush(["transactions", csv, "--keep-trying", "soon"])).code).toBe(1);
});

test.each([
  [new ConnectionError("gone"), 75],
  [new ServerError("busy", { status: 503 }), 75],
  [new RateLimitedError("later", { retryAfterSeconds: 60 }), 75],
  [new GatehouseError("slow", { status: 408 }), 75],
  [new UnauthorizedError("who", { status: 401 }), 1],
  [new CertificateError("not trusted", { code: "CERT_HAS_EXPIRED" }), 1],
  [new SetupError("proxy"), 1],
  [new Error("no such file"), 1],
])("%s ends the command with %i", (error, code) => {
  const tryAgain = isTemporary(error) ? ({ tryAgain: true } as const) : {};
  expect(exitCodeOf([{ file: "a.csv", resource: "accounts", error: error.message, ...tryAgain }])).toBe(code);
});

test("a push uses the proxy of HTTPS_PROXY with its credentials, and TLS to the service", async () => {
  const { file, apiKey, folder, locationUuid } = await createPushTenant(live);
  const csv = await file("sessions.csv", `${header}\n${row("T-1", locationUuid)}\n`);
  const asked: { target: string | undefined; authorization: string | undefined }[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, socket) => {
    asked.push({ target: request.url, authorization: request.headers["proxy-authorization"] });
    // Only the proxy can resolve this name.
    const service = connect(Number(new URL(live.url).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      service.pipe(socket).pipe(service);
    });
    socket.on("error", () => service.destroy());
    service.on("error", () => socket.destroy());
  });
  const port = await listen(proxy);
  const push = (environment: NodeJS.ProcessEnv) =>
    runPush(["transactions", csv, "--restart", "--output", join(folder, "out"), "--ca", live.caFile], {
      environment: { GATEHOUSE_API_KEY: apiKey, ...environment },
    });
  const address = Object.assign(new URL(`http://127.0.0.1:${port}`), { username: "jo", password: "s:cret" });
  const throughProxy = await push({
    GATEHOUSE_URL: "https://gatehouse.invalid",
    HTTPS_PROXY: address.href,
  });
  // The service's certificate is for a different name, so TLS went through to the service.
  expect(throughProxy.error).toContain("Use a host name in --url that the certificate covers");
  expect(asked).toEqual([{ target: "gatehouse.invalid:443", authorization: `Basic ${btoa("jo:s:cret")}` }]);
  const refusing = createServer();
  refusing.on("connect", (_request, socket) =>
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"),
  );
  const refused = runPush(["locations", "--ca", live.caFile], {
    environment: {
      ...{ GATEHOUSE_API_KEY: apiKey, GATEHOUSE_URL: "https://gatehouse.invalid" },
      HTTPS_PROXY: `http://127.0.0.1:${await listen(refusing)}`,
    },
  });
  expect(await refused).toMatchObject({
    code: 1,
    error: expect.stringContaining("answered with status 407"),
  });
});

test.each([
  ["https://gatehouse.example.com", {}, undefined],
  ["https://gatehouse.example.com", { HTTPS_PROXY: "http://p:1" }, "http://p:1/"],
  ["https://gatehouse.example.com", { https_proxy: "http://p:1" }, "http://p:1/"],
  ["https://gatehouse.example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "x, .example.com" }, undefined],
  [
    "https://gatehouse.example.com",
    { HTTPS_PROXY: "http://p:1", no_proxy: "gatehouse.example.com:443" },
    undefined,
  ],
  [
    "https://gatehouse.example.com",
    { HTTPS_PROXY: "http://p:1", no_proxy: "gatehouse.example.com:444" },
    "http://p:1/",
  ],
  ["https://gatehouse.example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "ample.com" }, "http://p:1/"],
  ["https://gatehouse.example.com", { HTTPS_PROXY: "http://p:1", NO_PROXY: "*" }, undefined],
  ["https://localhost:8443", { HTTPS_PROXY: "http://p:1" }, undefined],
])("the proxy to %s with %j is %s", (address, environment, expected) => {
  expect(proxyFor(new URL(address), environment)?.href).toBe(expected);
});

test("an invalid proxy address is rejected", () => {
  expect(() => proxyFor(new URL("https://x.example.com"), { HTTPS_PROXY: "socks5://p:1" })).toThrow(
    "HTTPS_PROXY must be a URL such as",
  );
});

test("each file of a folder has its mapping next to it or in the folder of --mapping", async () => {
  const { file, push, folder, locationUuid } = await createPushTenant(live);
  await file("accounts.csv", "Id,Company\nA-1,Acme\n");
  await file(
    "transactions.csv",
    `Ticket,${header.split(",").slice(1).join(",")}\n${row("T-1", locationUuid)}\n`,
  );
  const accounts = { columns: { Id: "tpReferenceId", Company: "name" } };
  const transactions = { columns: { Ticket: "transactionId" } };
  await mkdir(join(folder, "maps"));
  for (const place of ["", "maps/"]) {
    await file(`${place}accounts.mapping.json`, JSON.stringify(accounts));
    await file(`${place}transactions.mapping.json`, JSON.stringify(transactions));
  }
  const beside = await push([folder, "--json"]);
  expect(beside.error).toContain(`accounts.csv: mapped by ${join(folder, "accounts.mapping.json")}\n`);
  expect(JSON.parse(beside.out)).toMatchObject([{ tally: { created: 1 } }, { tally: { created: 1 } }]);
  const elsewhere = await push([folder, "--mapping", join(folder, "maps"), "--restart", "--json"]);
  expect(JSON.parse(elsewhere.out)).toMatchObject([{ tally: { skipped: 1 } }, { tally: { skipped: 1 } }]);
  expect((await push([folder, "--mapping", join(folder, "key.txt")])).error).toContain(
    "--mapping must be a folder",
  );
});

test("the summary groups problems by field and message, with values, lines and counts", async () => {
  const { file, push, locationUuid, requests } = await createPushTenant(live);
  const content = [
    `${header},isRefunded`,
    `${row("T-1", locationUuid, "$1.00")},maybe`,
    `${row("T-2", locationUuid, "$2.00")},yes`,
    `${row("T-3", locationUuid, "$2.00")},yes`,
    `${row("T-4", locationUuid, "4.00").replace(",1,", ",VALET,")},no`,
    `${row("T-5", locationUuid, "5.00")},no`,
  ].join("\n");
  const csv = await file("sessions.csv", content);
  const shown = [
    "  problems",
    '    amountTotal must be a number: 3 records, such as "$1.00" in line 2, "$2.00" in line 3',
    "      If these are numbers, use --number-format to show how the file writes 1234.50; if they mean an empty value, list them with --empty",
    '    isRefunded must be true or false: 1 record, "maybe" in line 2',
    "      List the words of the file with --true and --false",
    '    type must be one of 1, 2, 3, 4: 1 record, "VALET" in line 5',
    '      Map the values in the mapping file with "values": Transient, Monthly, Flex, Reservation',
  ].join("\n");
  for (const mode of ["--dry-run", "--validate-only", ""]) {
    const { out } = await push(["transactions", csv, ...(mode === "" ? [] : [mode])]);
    expect(out).toContain(shown);
  }
  // The journal keeps them for the same command.
  const again = await push(["transactions", csv]);
  expect(again.out).toContain(shown);
  expect(requests()).toBe(1);
  const { out } = await push(["transactions", csv, "--dry-run", "--json"]);
  expect(JSON.parse(out)[0].tally.problems[0]).toEqual({
    field: "amountTotal",
    message: "must be a number",
    records: 3,
    examples: [
      { line: 2, value: "$1.00" },
      { line: 3, value: "$2.00" },
    ],
  });
});

test("a file without valid records is not sent; a file whose first batches fail is not sent further", async () => {
  const { file, push, requests, folder, locationUuid } = await createPushTenant(live);
  const wrong = await file("wrong.csv", `${header}\n${rows(501, locationUuid, "$12")}\n`);
  const hopeless = await push(["transactions", wrong]);
  expect(hopeless).toMatchObject({ code: 1, out: "" });
  expect(hopeless.error).toContain("all 501 transactions would fail, so nothing was sent\n");
  expect(hopeless.error).toContain('amountTotal must be a number: 501 records, such as "$12" in line 2');
  expect(requests()).toBe(0);
  const many = await file("many.csv", `${header}\n${rows(1_600, locationUuid, "$12")}\n`);
  const counted = await push(["transactions", many, "--dry-run"]);
  expect(counted.out).toContain('amountTotal must be a number: 1,600 records, such as "$12" in line 2');
  expect((await push(["transactions", wrong, "--number-format", "$1,234.50"])).out).toMatch(/created +501\n/);

  const elsewhere = "00000000-0000-4000-8000-000000000000";
  const lost = await file("lost.csv", `${header}\n${rows(1_600, elsewhere).replaceAll("T-", "L-")}\n`);
  const before = requests();
  const stopped = await push(["transactions", lost]);
  expect(stopped.code).toBe(1);
  expect(stopped.out).toContain(
    "not finished: the first 1,000 transactions all failed, so the rest was not sent",
  );
  expect(requests() - before).toBe(2);
  expect(await readFile(join(folder, "lost.push", "failed.csv"), "utf8")).toContain("LocationNotFound");
  // Running the same command again sends the rest anyway.
  expect((await push(["transactions", lost])).out).toMatch(/failed +1,600\n/);
});
