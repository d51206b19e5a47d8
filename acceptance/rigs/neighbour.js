// A neighbour who does its worst: the requests it is given, over so many connections at once and as fast as they are
// answered, from one address. It is a process of its own, and a patient one, because its machine is not the service's. Told
// to end, or when each request was sent `rounds` times, it says what was answered.
import { once } from "node:events";
import { Agent, request } from "node:https";
import { setPriority } from "node:os";

const [{ address, ca, localAddress, connections, rounds, requests, bodies }] = await once(process, "message");
setPriority(19);
const agent = new Agent({ keepAlive: true, maxSockets: connections, localAddress, ca });
/** @type {{ answered: Record<number, number>, wrong: string[] }} */
const told = { answered: {}, wrong: [] };
const over = new AbortController();
process.once("message", () => over.abort());
let sent = 0;
const total = rounds === null ? Number.POSITIVE_INFINITY : rounds * requests.length;

await Promise.all(Array.from({ length: connections }, sendAgainAndAgain));
process.send?.(told, () => process.exit(0));

async function sendAgainAndAgain() {
  while (!over.signal.aborted && sent < total) {
    const wanted = requests[sent % requests.length];
    sent += 1;
    const { status, retryAfter, text } = await send(wanted);
    told.answered[status] = (told.answered[status] ?? 0) + 1;
    const isRight = status > 0 && (status < 500 || (status === 503 && retryAfter !== undefined));
    if (!isRight) told.wrong.push(`${wanted.method} ${wanted.path}: ${status} ${text}`);
  }
}

/** Whatever becomes of it has an end: an answer, or none in the time in which there should be one. */
function send(
  /** @type {{ method: string, path: string, headers: any, body: string }} */ { method, path, headers, body },
) {
  return new Promise((resolve) => {
    const number = String(100_000 + sent);
    const text = body === undefined ? undefined : bodies[body].replaceAll("NUMBER", number);
    const sending = request(address + path, { method, agent, headers, timeout: 90_000 }, (response) => {
      let begin = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        if (begin.length < 300) begin += chunk;
      });
      response.once("error", end(resolve));
      response.once("end", () =>
        resolve({ status: response.statusCode, retryAfter: response.headers["retry-after"], text: begin }),
      );
    });
    sending.once("timeout", () => sending.destroy(new Error("no answer")));
    sending.once("error", end(resolve)).end(text);
  });
}

/** A body that is not read to its end may cost the connection, after its answer or before: that is no missing answer. */
function end(/** @type {(answer: { status: number, text: string }) => void} */ resolve) {
  return (/** @type {NodeJS.ErrnoException} */ error) =>
    resolve({ status: /ECONNRESET|EPIPE/.test(error.code ?? "") ? 499 : 0, text: error.message });
}
