import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { useApp } from "../../../testing/harness.js";
import { useWire } from "../../../testing/wire.js";

const livez = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";

/** Opens a silent connection from the given local address. */
async function silent(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined);
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  return socket;
}

async function answers(socket: Socket): Promise<boolean> {
  socket.write(livez);
  const [said] = await Promise.race([once(socket, "data"), once(socket, "close").then(() => [""])]);
  return String(said).startsWith("HTTP/1.1 200");
}

describe("an address that is not a trusted proxy", () => {
  const wire = useWire({}, { connectionsPerAddress: 5 });
  const gatehouse = useApp({ trustedProxies: [] }, wire.listen);

  test("has a limited number of connections on each port, whatever it sends; other addresses are not affected", async () => {
    for (const port of [wire.httpsPort, wire.httpPort]) {
      const [first, ...others] = await Promise.all(
        Array.from({ length: 5 }, () => silent(port, "127.0.0.1")),
      );
      const tooMany = await silent(port, "127.0.0.1");
      if (!tooMany.closed) await once(tooMany, "close");
      for (const socket of others) expect(socket.closed).toBe(false);
      const elsewhere = await silent(port, "127.0.0.2");
      if (port === wire.httpPort) expect(await answers(elsewhere)).toBe(true);
      else expect(elsewhere.closed).toBe(false);

      // After one closes, another can be opened.
      first?.destroy();
      if (port === wire.httpPort)
        await expect.poll(async () => answers(await silent(port, "127.0.0.1"))).toBe(true);
      for (const socket of others) socket.destroy();
    }
    const told = gatehouse.logged.filter(({ msg }) => String(msg).includes("too many connections"));
    expect(told).toMatchObject([{ address: "127.0.0.1" }, { address: "127.0.0.1" }]);
  });
});

describe("a trusted proxy", () => {
  const wire = useWire({}, { connectionsPerAddress: 5, trustedProxies: ["10.0.0.1", "127.0.0.0/24"] });
  useApp({}, wire.listen);

  test("has no connection limit", async () => {
    const sockets = await Promise.all(Array.from({ length: 20 }, () => silent(wire.httpPort, "127.0.0.1")));
    for (const socket of sockets) expect(await answers(socket)).toBe(true);
  });
});
