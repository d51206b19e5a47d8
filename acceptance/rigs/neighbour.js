// A noisy neighbour: sends the given requests over many connections from one address, as fast as they are
// answered. It is a separate process with low priority, because its machine is not the service's. On a
// signal, or when each request was sent `rounds` times, it reports the answers.
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

/** Every request ends: with an answer, or with a timeout. */
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

/**
 * A body that the service does not read to its end may cost the connection, before or after the answer. That
 * does not count as a missing answer.
 */
function end(/** @type {(answer: { status: number, text: string }) => void} */ resolve) {
  return (/** @type {NodeJS.ErrnoException} */ error) =>
    resolve({ status: /ECONNRESET|EPIPE/.test(error.code ?? "") ? 499 : 0, text: error.message });
}
