import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A connection to the database that a test can cut and restore, like a network failure or a restart of the server. */
export interface Gateway {
  connectionString: string;
  /** Closes every connection and rejects new ones. */
  cut(): void;
  /** Accepts connections and keeps them open, but forwards nothing. */
  stall(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function openGateway(connectionString: string): Promise<Gateway> {
  const target = new URL(connectionString);
  const sockets = new Set<Socket>();
  let state: "open" | "cut" | "stalled" = "open";

  const server = createServer((client) => {
    if (state === "cut") {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
      if (state === "stalled") from.pause();
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));

  const through = new URL(connectionString);
  through.hostname = "127.0.0.1";
  through.port = String((server.address() as AddressInfo).port);

  function cut(): void {
    state = "cut";
    for (const socket of sockets) socket.destroy();
  }
  return {
    connectionString: through.href,
    cut,
    stall() {
      state = "stalled";
      for (const socket of sockets) socket.pause();
    },
    restore() {
      state = "open";
      for (const socket of sockets) socket.resume();
    },
    async close() {
      cut();
      await new Promise((resolve) => void server.close(resolve));
    },
  };
}
