import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll } from "vitest";

/** A server that sends headers and the beginning of a body, and then nothing. */
export function useStalledBody(): { readonly url: string; readonly open: number } {
  let server: Server;
  let open = 0;
  beforeAll(async () => {
    server = createServer((_request, response) => {
      open += 1;
      response.on("close", () => (open -= 1));
      response.writeHead(200, { "content-type": "application/json" }).write("{");
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    get url() {
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    get open() {
      return open;
    },
  };
}

/** Collects garbage repeatedly while `work` runs; fails if it has not ended after `limitMs`. */
export async function whileGarbageIsCollected<T>(work: Promise<T>, limitMs = 20_000): Promise<T> {
  setFlagsFromString("--expose-gc");
  const timer = setInterval(runInNewContext("gc") as () => void, 20);
  let limit: NodeJS.Timeout | undefined;
  const lost = new Promise<never>((_resolve, reject) => {
    limit = setTimeout(() => reject(new Error("the time limit was lost")), limitMs);
  });
  try {
    return await Promise.race([work, lost]);
  } finally {
    clearInterval(timer);
    clearTimeout(limit);
  }
}
