/** Reads of the console by a signed-in person. */
import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";

/**
 * Signs in with a one-time link and returns `read(address)`, which sends a request and returns its time in milliseconds.
 * @param {import("./batches.js").Target} target
 * @param {string} link
 */
export async function signInByLink({ url, caFile }, link) {
  const agent = new Agent({ keepAlive: true, ca: readFileSync(caFile), maxSockets: 1 });
  const token = new URL(link).hash.replace("#token=", "");
  const { origin } = new URL(url);
  const signedIn = await ask(agent, new URL("/console/api/session/link", url), {
    method: "POST",
    headers: { origin, "content-type": "application/json" },
    body: JSON.stringify({ token }),
  });
  const cookie = (signedIn.headers["set-cookie"] ?? []).map((one) => one.split(";", 1)[0]).join("; ");
  return async (/** @type {string} */ address) => {
    const begun = performance.now();
    await ask(agent, new URL(address, url), { method: "GET", headers: { cookie } });
    return performance.now() - begun;
  };
}

/**
 * @param {Agent} agent
 * @param {URL} url
 * @param {{ method: string, headers: Record<string, string>, body?: string }} options
 * @returns {Promise<import("node:http").IncomingMessage>}
 */
function ask(agent, url, { method, headers, body }) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers }, (answer) => {
      /** @type {Buffer[]} */
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve(answer);
        else reject(new Error(`${url.pathname} answered ${answer.statusCode}: ${Buffer.concat(chunks)}`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
