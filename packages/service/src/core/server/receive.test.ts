import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { BodyBuffer, leastPace, leastSmallPace, receive, smallBodyBytes, UnplacedBodies } from "./receive.js";

const limitBytes = 5 * 1024 * 1024;

/** A server, and connections whose requests wait to be received. */
async function listen(): Promise<(head: string) => Promise<{ socket: Socket; request: IncomingMessage }>> {
  const server = createServer({ requireHostHeader: false });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return async (head) => {
    const requested = once(server, "request");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(`POST / HTTP/1.1\r\n${head}\r\n\r\n`);
    const [request] = (await requested) as [IncomingMessage];
    return { socket, request };
  };
}

function optionsOf(unplaced = new UnplacedBodies()) {
  return { limitBytes, places: null, unplaced };
}

test("chunks of any size are joined in one buffer of at most twice the body's size", () => {
  for (const sizes of [[], [5], [1, 1, 1], [70_000, 1, 3_000], Array<number>(20_000).fill(1)]) {
    const pieces = sizes.map((size, index) => Buffer.alloc(size, index));
    const body = new BodyBuffer(limitBytes);
    for (const piece of pieces) body.append(piece);
    expect(body.bytes.equals(Buffer.concat(pieces))).toBe(true);
    expect(body.capacity).toBeLessThanOrEqual(Math.max(512, 2 * body.length));
  }
});

test("a buffer never grows beyond the declared length", () => {
  const body = new BodyBuffer(1_500);
  for (let count = 0; count < 3; count += 1) body.append(Buffer.alloc(500));
  expect(body.capacity).toBe(1_500);
});

test("when all bodies together exceed the memory limit, the oldest is rejected", async () => {
  const open = await listen();
  const unplaced = new UnplacedBodies(2_000);
  const [first, second, third] = [
    await open("Content-Length: 5000"),
    await open("Content-Length: 5000"),
    await open("Content-Length: 1000"),
  ] as const;
  const receiving = [first, second, third].map(({ request }) => receive(request, optionsOf(unplaced)));
  const outcomes = Promise.allSettled(receiving);
  const send = async ({ socket, request }: typeof first, bytes: number): Promise<void> => {
    const taken = once(request, "data");
    socket.write(Buffer.alloc(bytes));
    await taken;
  };
  await send(first, 900);
  await send(second, 900);
  await send(third, 900);
  await expect(receiving[0]).rejects.toMatchObject({ name: "Refused", refusal: "overloaded" });
  await send(third, 100);
  expect((await receiving[2])?.length).toBe(1_000);
  // The third body's memory is free again.
  await send(second, 900);
  second.socket.destroy();
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
});

test("a small body that arrives too slowly gets 408", async () => {
  const open = await listen();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const [slow, steady] = [await open("Content-Length: 5000"), await open("Content-Length: 5000")] as const;
  const receiving = [slow, steady].map(({ request }) => receive(request, optionsOf()));
  const outcomes = Promise.allSettled(receiving);
  for (let portion = 0; portion < 4; portion += 1) {
    const taken = once(steady.request, "data");
    steady.socket.write(Buffer.alloc(leastSmallPace.bytes));
    await taken;
    vi.advanceTimersByTime(leastSmallPace.everyMs);
    await new Promise((resolve) => void setImmediate(resolve));
  }
  await expect(receiving[0]).rejects.toMatchObject({ refusal: "requestTimeout" });
  steady.socket.write(Buffer.alloc(5_000 - 4 * leastSmallPace.bytes));
  expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
});

test("a large body on a route without body slots has a minimum speed too", async () => {
  const open = await listen();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const { socket, request } = await open(`Content-Length: ${limitBytes}`);
  const receiving = receive(request, optionsOf());
  const outcome = Promise.allSettled([receiving]);
  socket.write(Buffer.alloc(2 * smallBodyBytes));
  await expect.poll(() => vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(leastPace.everyMs);
  // Bytes that arrived meanwhile count for the first interval.
  await new Promise((resolve) => void setImmediate(resolve));
  vi.advanceTimersByTime(leastPace.everyMs);
  expect(await outcome).toMatchObject([{ reason: { refusal: "requestTimeout" } }]);
});
