import { once } from "node:events";
import { connect } from "node:net";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { useDatabase } from "../../testing/harness.js";
import { buildApp } from "../app.js";
import { readConfig } from "../config.js";
import { listen } from "./servers.js";

const home = useDatabase();

test("without a certificate only the plain port is opened, for a proxy that says it was HTTPS", async () => {
  const config = readConfig({ GATEHOUSE_HTTPS: "off", GATEHOUSE_TRUST_PROXY: "127.0.0.1" });
  const app = await buildApp({
    config,
    database: home.database,
    logger: pino({ level: "silent" }),
    maxEventLoopDelayMs: 0,
  });
  onTestFinished(() => app.close());
  const listening = await listen(app, { ...config, httpPort: 0, certificate: undefined });
  expect(listening.httpsPort).toBeNull();
  const ask = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${listening.httpPort}/integrations/locations`, { headers });
  // 401 is the gate's word: the request got as far as the key.
  expect((await ask({ "x-forwarded-proto": "https" })).status).toBe(401);
  expect((await ask({ "x-forwarded-proto": "http" })).status).toBe(403);
  expect((await ask({})).status).toBe(403);

  await app.close();
  const [error] = await once(connect(listening.httpPort, "127.0.0.1"), "error");
  expect(error).toMatchObject({ code: "ECONNREFUSED" });
});
