/**
 * node bench/harness/distant-database.js PORT
 *
 * A TCP proxy in front of PostgreSQL that holds every byte back, each way, as a network would; in a process of its own, so
 * that its work is not the service's. The delay in milliseconds is set by a message.
 */
import { connect, createServer } from "node:net";

const port = Number(process.argv[2]);
let delayMs = 0;
process.on("message", (ms) => {
  delayMs = Number(ms);
  process.send?.("set");
});

const server = createServer((one) => {
  const other = connect(port, "127.0.0.1");
  pass(one, other);
  pass(other, one);
});
server.listen(0, "127.0.0.1", () => process.send?.(server.address()));

/**
 * @param {import("node:net").Socket} from
 * @param {import("node:net").Socket} to
 */
function pass(from, to) {
  from.setNoDelay(true).on("error", () => undefined);
  /** @type {{ bytes: Buffer, dueMs: number }[]} */
  const held = [];
  const passOn = () => {
    for (let next = held[0]; next; next = held[0]) {
      const waitMs = next.dueMs - performance.now();
      // Timers know whole milliseconds and round up, which is too much for a delay of one.
      if (waitMs > 1) return void setTimeout(passOn, waitMs - 1);
      if (waitMs > 0) return void setImmediate(passOn);
      held.shift();
      if (to.writable) to.write(next.bytes);
    }
  };
  from.on("data", (bytes) => {
    held.push({ bytes, dueMs: performance.now() + delayMs });
    if (held.length === 1) passOn();
  });
  from.on("close", () => to.destroy());
}
