import { once } from "node:events";
import { connect } from "node:net";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { useDatabase } from "../../../testing/harness.js";
import { buildApp } from "../../app.js";
import { readConfig } from "../config.js";
import { listen } from "./servers.js";

const home = useDatabase();

async function listenWith(variables: Record<string, string>) {
  const config = readConfig({ GATEHOUSE_HTTPS: "off", GATEHOUSE_TRUST_PROXY: "127.0.0.1", ...variables });
  const logger = pino({ level: "silent" });
  const app = await buildApp({ config, database: home.database, logger, maxEventLoopDelayMs: 0 });
  onTestFinished(() => app.close());
  const listening = await listen(app, { ...config, httpPort: 0, certificate: undefined });
  return { app, listening };
}

test("without a certificate only the plain port is opened, for a proxy that forwards HTTPS", async () => {
  const { app, listening } = await listenWith({});
  expect(listening.httpsPort).toBeNull();
  const ask = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${listening.httpPort}/integrations/locations`, { headers });
  // 401 comes from the key check, so the request passed the HTTPS check.
  expect((await ask({ "x-forwarded-proto": "https" })).status).toBe(401);
  expect((await ask({ "x-forwarded-proto": "http" })).status).toBe(403);
  expect((await ask({})).status).toBe(403);

  await app.close();
  const [error] = await once(connect(listening.httpPort, "127.0.0.1"), "error");
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
});

test("the plain port can listen on a different address", async () => {
  const { listening } = await listenWith({ GATEHOUSE_HOST: "127.0.0.1", GATEHOUSE_HTTP_HOST: "127.0.0.2" });
  expect((await fetch(`http://127.0.0.2:${listening.httpPort}/livez`)).status).toBe(200);
  const [error] = await once(connect(listening.httpPort, "127.0.0.1"), "error");
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
});

test("an address that the machine does not have is reported with its variable", async () => {
  await expect(listenWith({ GATEHOUSE_HTTP_HOST: "192.0.2.1" })).rejects.toThrow(
    "Correct GATEHOUSE_HTTP_HOST.",
  );
});
