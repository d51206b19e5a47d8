import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeCopy } from "../scripts/repository-copy.js";
import { environment } from "./command.js";
import { send, type Answer } from "./requests.js";
import { databaseServers, leave, newPlaceWithDatabase } from "./running-service.js";

const page = "packages/console/src/app.tsx";
const challengeFile = "packages/service/src/core/refusals/render-console-error.ts";
const realm = "Gatehouse console";

async function freePort(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return String(port);
}

test("npm run dev serves the console with hot reload, restarts the changed service, and stops as a whole", async () => {
  const checkout = await mkdtemp(path.join(tmpdir(), "gatehouse-dev-"));
  onTestFinished(() => rm(checkout, { recursive: true, force: true }));
  makeCopy(checkout);
  const change = async (file: string, from: string, to: string): Promise<void> => {
    const content = await readFile(path.join(checkout, file), "utf8");
    expect(content).toContain(from);
    await writeFile(path.join(checkout, file), content.replace(from, to));
  };
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
  onTestFinished(async () => {
    dev.kill("SIGTERM");
    await ended;
  });

  const ask = (path: string): Promise<Answer | undefined> =>
    send(`http://localhost:${port}${path}`, { headers: { accept: "*/*" } }).catch(() => undefined);
  const ownSessions = () => ask("/console/api/session/all");
  const status = async () => (await ownSessions())?.status ?? output;
  await expect.poll(status, { interval: 200 }).toBe(401);
  expect((await ask("/"))?.text).toContain("/@vite/client");
  expect((await ask("/src/app.tsx"))?.text).toContain("import.meta.hot");

  await change(page, 'position="bottom-right"', 'position="top-left"');
  await expect.poll(() => output, { interval: 200 }).toContain("hmr update /src/app.tsx");
  expect((await ask("/src/app.tsx"))?.text).toContain("top-left");

  await change(challengeFile, realm, "Changed console");
  const challenge = async () => String((await ownSessions())?.headers["www-authenticate"] ?? output);
  await expect.poll(challenge, { interval: 200 }).toContain("Changed console");
  expect(output).toContain("Restarting the service");

  dev.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  expect(await databaseServers(place.variables["GATEHOUSE_DATA_DIR"] as string)).toEqual([]);
});
