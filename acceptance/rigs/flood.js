// A partner that sends without pause: the given bodies in turn, each on a new connection. NUMBER in a body is
// replaced by a new number each time, so that its records are new. It is a separate process, so that sending
// does not slow down the measurements, with low priority, because its machine is not the service's. On a
// signal it reports the number of answers by status.
import { once } from "node:events";
import { Agent, request } from "node:https";
import { setPriority } from "node:os";

const [{ address, ca, key, bodies }] = await once(process, "message");
setPriority(19);
const agent = new Agent({ keepAlive: true });
/** @type {Record<string, number>} */
const answered = {};
/** As wide as the word that it replaces. */
const firstNumber = 100_000;
let sent = 0;
const over = new AbortController();
process.once("message", () => over.abort());

await Promise.all(bodies.map(sendAgainAndAgain));
process.send?.(answered, () => process.exit(0));

async function sendAgainAndAgain(/** @type {string} */ body) {
  while (!over.signal.aborted) {
    sent += 1;
    const status = await send(body.replaceAll("NUMBER", String(firstNumber + sent)));
    answered[status] = (answered[status] ?? 0) + 1;
  }
}

function send(/** @type {string} */ body) {
  return new Promise((resolve, reject) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const sending = request(address, { method: "POST", ca, agent, headers }, (response) => {
      response.resume().once("end", () => resolve(response.statusCode));
    });
    sending.once("error", reject).end(body);
  });
}
