import { METHODS } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { Refused } from "../refusals/refused.js";

const usualMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const closes = { headers: { connection: "close" } };

/**
 * Rejects requests that Node would answer without the error envelope or accept against the HTTP standard: missing or
 * duplicate Host headers, unknown expectations, unknown transfer codings. The connection is closed, because the end of
 * such a request is uncertain.
 */
export const acceptableRequests = fastifyPlugin(async (app: FastifyInstance) => {
  // Fastify does not know every method of Node, and handles the bodies of some differently.
  for (const method of METHODS)
    if (!usualMethods.has(method)) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });

  app.addHook("onRequest", (request, _reply, done) => {
    done(whyNot(request));
  });
});

function whyNot({ raw, headers }: FastifyRequest): Refused | undefined {
  const hosts = countHosts(raw.rawHeaders);
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === "1.1"))
    return new Refused("requestMalformed", { ...closes, details: ["One Host header is required"] });
  if (raw.httpVersion === "1.1" && headers.expect !== undefined && !expectsContinue(headers.expect))
    return new Refused("expectationFailed", closes);
  return headers["transfer-encoding"] === undefined
    ? undefined
    : whyNotCoded(headers["transfer-encoding"], raw.httpVersion);
}

/** The end of a body is known only if its last coding is chunked. No other coding is supported. */
function whyNotCoded(codings: string, httpVersion: string): Refused | undefined {
  const [last, ...others] = codings
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .toReversed();
  if (last !== "chunked" || httpVersion !== "1.1") return new Refused("requestMalformed", closes);
  return others.length === 0 ? undefined : new Refused("transferCodingUnknown", closes);
}

export function expectsContinue(expect: string | undefined): boolean {
  return expect?.trim().toLowerCase() === "100-continue";
}

/** Node keeps only the first Host header in `headers`. Names and values alternate in `rawHeaders`. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}
