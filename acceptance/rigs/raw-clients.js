// Clients that write raw bytes to a service: each connection sends a beginning and then the same text many
// times, at once or in chunks with pauses. They run in a separate process, so that the rig can measure
// undisturbed. A connection is done when everything was written, or when it was answered or closed before. It
// stays open until the rig ends it; then the process reports the bytes written and the number of answers by
// status. Clients that expect 100 Continue send the text only after it, and stalled clients are done when
// they are answered or closed.
import { once } from "node:events";
import { connect as connectPlain } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectSecure } from "node:tls";

/**
 * @typedef {object} Connection
 * @property {number} port
 * @property {boolean} [isPlain]
 * @property {boolean} [isDeaf]
 * @property {boolean} [isSlow]
 * @property {boolean} [asksFirst]
 * @property {boolean} [isHeld]
 * @property {string} head
 * @property {string} repeated
 * @property {number} times
 */

const portions = 16;
const pauseMs = 50;
/** @type {[{ ca: string; connections: Connection[] }]} */
const [{ ca, connections }] = /** @type {any} */ (await once(process, "message"));
/** @type {Record<string, number>} */
const statuses = {};
let failed = 0;
let held = 0;
/** @type {boolean[]} */
const taken = [];
/** @type {{ socket: import("node:net").Socket; connection: Connection }[]} */
const clients = [];
for (const connection of connections) clients.push({ socket: await open(connection), connection });
await Promise.all(clients.map(({ socket, connection }, index) => send(socket, connection, index)));
process.send?.("done");
await once(process, "message");
const bytes = clients.reduce((sum, { socket }) => sum + socket.bytesWritten - socket.writableLength, 0);
for (const { socket } of clients) socket.destroy();
process.send?.({ bytes, statuses, failed, taken, held }, () => process.exit(0));

/** @param {Connection} connection */
async function open({ port, isPlain, isDeaf }) {
  const socket = isPlain
    ? connectPlain(port, "127.0.0.1")
    : connectSecure({ port, host: "127.0.0.1", servername: "localhost", ca });
  socket.on("error", () => (failed += 1));
  if (!isDeaf) socket.on("data", (answer) => count(answer.toString("latin1")));
  await Promise.race([once(socket, isPlain ? "connect" : "secureConnect"), once(socket, "close")]);
  return socket;
}

/**
 * Answers are counted by their status lines, which never fall between two reads here.
 * @param {string} text
 */
function count(text) {
  for (const [, status = ""] of text.matchAll(/HTTP\/1\.1 ([2-5]\d\d) /g))
    statuses[status] = (statuses[status] ?? 0) + 1;
}

/**
 * @param {import("node:net").Socket} socket
 * @param {Connection} connection
 * @param {number} index
 */
async function send(socket, connection, index) {
  if (connection.asksFirst) {
    const answer = new Promise((resolve) => socket.once("close", () => resolve("")).once("data", resolve));
    socket.write(connection.head);
    taken[index] = String(await answer).startsWith("HTTP/1.1 100 ");
    if (!taken[index]) return;
  }
  const over = new Promise((resolve) => socket.once("close", resolve).once("data", resolve));
  await write(socket, connection.asksFirst ? { ...connection, head: "" } : connection, over);
  if (!connection.isHeld) return;
  await over;
  held += 1;
}

/**
 * @param {import("node:net").Socket} socket
 * @param {Connection} connection
 * @param {Promise<unknown>} over
 */
async function write(socket, { head, repeated, times, isSlow }, over) {
  const flushed = (/** @type {string} */ text) => new Promise((resolve) => socket.write(text, resolve));
  if (!isSlow) return Promise.race([over, flushed(head + repeated.repeat(times))]);
  await Promise.race([over, flushed(head)]);
  for (let portion = 0; portion < portions && !socket.closed; portion += 1) {
    await Promise.race([over, flushed(repeated.repeat(Math.ceil(times / portions)))]);
    await sleep(pauseMs);
  }
}
