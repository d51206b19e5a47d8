import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { environment } from "./command.js";
import { send, type Answer } from "./requests.js";
import { databaseServers, leave, newPlaceWithDatabase } from "./running-service.js";

const checkout = fileURLToPath(new URL("..", import.meta.url));

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return String(port);
}

test("npm run dev serves the console from its sources with hot reload, forwards to the service, and ends as a whole", async () => {
  const [port, httpsPort] = [await freePort(), await freePort()];
  const place = await newPlaceWithDatabase({ GATEHOUSE_HTTPS_PORT: httpsPort });
  onTestFinished(() => leave(place));
  const dev = spawn(process.execPath, ["scripts/dev.js", "--port", port], {
    cwd: checkout,
    env: environment(place.variables),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [dev.stdout, dev.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  const ended = once(dev, "exit");
  onTestFinished(() => void dev.kill("SIGTERM"));

  const ask = (path: string): Promise<Answer | undefined> =>
    send(`http://localhost:${port}${path}`, { headers: { accept: "*/*" } }).catch(() => undefined);
  const status = async () => (await ask("/console/api/session/all"))?.status ?? output;
  await expect.poll(status, { interval: 200 }).toBe(401);
  expect((await ask("/"))?.text).toContain("/@vite/client");
  expect((await ask("/src/app.tsx"))?.text).toContain("import.meta.hot");

  dev.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(await databaseServers(place.variables["GATEHOUSE_DATA_DIR"] as string)).toEqual([]);
});
