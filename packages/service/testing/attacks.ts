import { randomUUID } from "node:crypto";
import { METHODS } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TLSSocket } from "node:tls";
import { expect } from "vitest";
import type { Random } from "../../../acceptance/rigs/rig.js";
import { maxOutstandingRequests } from "../src/core/server/connections.js";
import type { RawRequest } from "./every-request.js";
import { rawAnswers, type RawAnswer } from "./raw-answers.js";
import type { Wire } from "./wire.js";

/** Ways in which clients can misuse a connection. Each ends when its connection has closed. */

export interface Ending {
  answers: RawAnswer[];
}

type Pipeline = ReturnType<typeof pipelineOf>;

export interface World {
  wire: Wire;
  random: Random;
  requests: RawRequest[];
  /** Files whose answers do not fit into the buffers between two sockets. */
  large: RawRequest[];
}

export type Attack = (world: World, plain: boolean) => Promise<Ending | void>;

async function open({ wire }: Pick<World, "wire">, plain: boolean) {
  const { socket } = await wire.connect({ plain });
  // The helper takes too long to parse this many answers.
  socket.removeAllListeners("data");
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  return { socket, received: () => Buffer.concat(chunks) };
}

/** Resolves when both sides have closed. The service closes connections after its timeouts. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", () => resolve());
  });
}

function answered(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once("data", () => resolve()));
}

/** As many requests as a connection may have waiting. The last one closes it. */
function pipeline({ random, requests }: World) {
  const length = random.between(1, maxOutstandingRequests);
  return pipelineOf(Array.from({ length }, () => random.pick(requests)));
}

export function pipelineOf(asked: readonly RawRequest[]) {
  const requestIds = asked.map(() => randomUUID());
  const parts = asked.map((each, index) => {
    const isLast = index === asked.length - 1;
    return each.bytes({
      requestId: requestIds[index] as string,
      headers: isLast ? ["Connection: close"] : [],
    });
  });
  return { asked, requestIds, bytes: Buffer.concat(parts) };
}

function readAll(world: World, plain: boolean): Promise<Ending> {
  return read(world, pipeline(world), plain);
}

/** Expects every answer, in the order of the requests. */
export async function read(
  world: Pick<World, "wire">,
  { asked, requestIds, bytes }: Pipeline,
  plain: boolean,
): Promise<Ending> {
  const { socket, received } = await open(world, plain);
  socket.write(bytes);
  await closed(socket);
  const answers = rawAnswers(
    received(),
    asked.map(({ method }) => method),
  );
  expect(answers.map(({ headers }) => headers["x-request-id"])).toEqual(requestIds);
  return { answers };
}

async function leave({ random }: World, socket: Socket): Promise<void> {
  const way = random.pick(["destroy", "reset", "end"] as const);
  if (way === "destroy") socket.destroy();
  else if (way === "reset" && !(socket instanceof TLSSocket)) socket.resetAndDestroy();
  else socket.end();
  await closed(socket);
}

async function abandon(world: World, plain: boolean): Promise<Ending> {
  const { random } = world;
  const { asked, bytes } = pipeline(world);
  const { socket, received } = await open(world, plain);
  socket.write(bytes.subarray(0, random.between(0, bytes.length)));
  const moment = random.pick(["at once", "later", "when answered"] as const);
  if (moment === "later") await sleep(random.between(0, 50));
  if (moment === "when answered") await Promise.race([answered(socket), closed(socket)]);
  await leave(world, socket);
  const methods = asked.map(({ method }) => method);
  return { answers: rawAnswers(received(), methods) };
}

/** The client reads nothing, so the service has to close the connection. */
async function readNothing(world: World, plain: boolean): Promise<void> {
  const { socket } = await open(world, plain);
  socket.pause();
  const each = world.random.pick([...world.large, world.random.pick(world.requests)]);
  const times = world.random.pick([maxOutstandingRequests, maxOutstandingRequests + 1, 1_500]);
  socket.write(Buffer.concat(Array.from({ length: times }, () => each.bytes())));
  // A client that does not read gets no event when its connection closes.
  await sleep(world.random.between(0, 1_000));
  await leave(world, socket.resume());
}

async function trickle(world: World, plain: boolean): Promise<void> {
  const { random, requests } = world;
  const bytes = random.pick(requests.filter(({ method }) => method !== "GET")).bytes();
  const { socket } = await open(world, plain);
  const at = random.between(0, bytes.length - 1);
  socket.write(bytes.subarray(0, at));
  for (const byte of bytes.subarray(at, at + random.between(0, 20))) {
    if (socket.closed) return;
    socket.write(Buffer.of(byte));
    await sleep(random.between(0, 100));
  }
  if (random.fraction() < 0.5) await leave(world, socket);
  else await closed(socket);
}

async function stopInLargeBody(world: World, plain: boolean): Promise<void> {
  const each = world.random.pick(world.requests.filter(({ url }) => url.endsWith("transactions")));
  const head = each.bytes().toString("latin1").split("\r\n\r\n", 1)[0] as string;
  const { socket } = await open(world, plain);
  socket.write(`${head.replace(/Content-Length: \d+/, "Content-Length: 5000000")}\r\n\r\n`);
  socket.write(" ".repeat(world.random.between(0, 1_000_000)));
  if (world.random.fraction() < 0.5)
    await sleep(world.random.between(0, 500)).then(() => leave(world, socket));
  else await closed(socket);
}

async function closeOneSide(world: World, plain: boolean): Promise<void> {
  const { bytes } = pipeline(world);
  const { socket } = await open(world, plain);
  socket.end(bytes.subarray(0, world.random.pick([0, 1, bytes.length - 1, bytes.length])));
  await closed(socket);
}

async function speakStrangely(world: World, plain: boolean): Promise<Ending> {
  const { random } = world;
  const path = random.pick([
    "/livez",
    "/console/api/session",
    "/lead/submit",
    "/absent",
    "*",
    "//",
    "/%ff",
    "http://localhost",
  ]);
  const method = random.pick([...METHODS, "ANNOUNCE", "SETUP", "FETCH", "get", ""]);
  const version = random.pick(["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "RTSP/1.0", "ICE/1.0", ""]);
  const header = random.pick([
    "Host: localhost",
    "X: none",
    "Host: a\r\nHost: b",
    "Host: a\r\nExpect: a-miracle",
    "Host: a\r\nExpect: 100-continue",
    "Host: a\r\nTransfer-Encoding: gzip, chunked",
    "Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 3",
    "Host: a\r\nUpgrade: websocket\r\nConnection: Upgrade",
    "Host: a\r\nContent-Length: -1",
  ]);
  const { socket, received } = await open(world, plain);
  socket.write(`${method} ${path} ${version}\r\n${header}\r\n\r\n`);
  await closed(socket);
  const answers = rawAnswers(received(), [method]);
  for (const { headers } of answers) expect(headers["x-request-id"], `${method} ${version}`).toBeDefined();
  return { answers };
}

async function sayNothing(world: World, plain: boolean): Promise<void> {
  const { socket } = await open(world, plain);
  if (world.random.fraction() < 0.5) await leave(world, socket);
  else await closed(socket);
}

export const attacks: readonly Attack[] = [
  readAll,
  abandon,
  readNothing,
  trickle,
  stopInLargeBody,
  closeOneSide,
  speakStrangely,
  sayNothing,
];
