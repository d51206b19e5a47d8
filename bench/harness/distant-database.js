/**
 * node bench/harness/distant-database.js PORT
 *
 * A TCP proxy in front of PostgreSQL that delays every byte in both directions, like a network. It runs in a separate
 * process, so that its work does not count as the service's. A message sets the delay in milliseconds.
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
      // Timers use whole milliseconds and round up, which is too imprecise for a delay of one.
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
