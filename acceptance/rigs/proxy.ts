import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A TCP proxy between two parties that can disturb their connections. */
export interface Proxy {
  readonly port: number;
  /** Destroys all connections at once. */
  cut(): void;
  /** Delays all data by this many milliseconds; 0 is the normal state. */
  delay(delayMs: number): void;
  /** Drops all data in both directions without closing. Held data is lost with the connections. */
  stall(): void;
  resume(): void;
  /**
   * Destroys the connection on which these bytes come next, in either direction, before they pass. Resolves
   * when it has.
   */
  cutBefore(text: string): Promise<void>;
  /** Cancels the cut. */
  passAgain(): void;
  close(): Promise<void>;
}

/** `target` is called for every connection. */
export async function startProxy(target: () => number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let delayMs = 0;
  let isStalled = false;
  let awaited: { text: string; seen: () => void } | undefined;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };

  const server = createServer((one) => {
    const other = connect(target(), "127.0.0.1");
    pass(one, other);
    pass(other, one);
  });

  function pass(from: Socket, to: Socket): void {
    sockets.add(from);
    // Broken connections are the purpose of this proxy.
    from.setNoDelay(true).on("error", () => undefined);
    // In order, even if the delay has changed meanwhile: a connection may lose its end, but never its order.
    const held: { bytes: Buffer; dueMs: number }[] = [];
    const passOn = (): void => {
      for (let next = held[0]; next; next = held[0]) {
        const waitMs = next.dueMs - performance.now();
        if (waitMs > 0) return void setTimeout(passOn, waitMs);
        held.shift();
        if (to.writable) to.write(next.bytes);
      }
    };
    from.on("data", (bytes) => {
      if (isStalled) return;
      if (awaited && bytes.includes(awaited.text)) {
        const { seen } = awaited;
        awaited = undefined;
        from.destroy();
        return seen();
      }
      held.push({ bytes, dueMs: performance.now() + delayMs });
      if (held.length === 1) passOn();
    });
    from.on("close", () => {
      sockets.delete(from);
      if (!isStalled) to.destroy();
    });
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    delay: (ms) => void (delayMs = ms),
    stall: () => void (isStalled = true),
    resume: () => {
      isStalled = false;
      // These connections lack bytes in the middle, so they are useless.
      cut();
    },
    cutBefore: (text) => new Promise((seen) => (awaited = { text, seen })),
    passAgain: () => void (awaited = undefined),
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
