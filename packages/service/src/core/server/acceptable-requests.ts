import { METHODS } from "node:http";
import type { FastifyInstance, FastifyRequest } from "fastify";
import fastifyPlugin from "fastify-plugin";
import { RequestRefused } from "../refusals/request-refused.js";

const usualMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const closes = { headers: { connection: "close" } };

/**
 * What Node would answer by itself, without our envelope, or let pass although the standard does not: requests without
 * a host or with two, expectations nobody can meet, and transfer codings that nobody decodes. Their connection is
 * closed, because where the request ends is in doubt.
 */
export const acceptableRequests = fastifyPlugin(async (app: FastifyInstance) => {
  // The framework does not know all methods that Node reads, and has rules of its own for the bodies of some.
  for (const method of METHODS)
    if (!usualMethods.has(method)) app.addHttpMethod(method, { hasBody: false, overrideExisting: true });

  app.addHook("onRequest", (request, _reply, done) => {
    done(whyNot(request));
  });
});

function whyNot({ raw, headers }: FastifyRequest): RequestRefused | undefined {
  const hosts = countHosts(raw.rawHeaders);
  if (hosts > 1 || (hosts === 0 && raw.httpVersion === "1.1"))
    return new RequestRefused("requestMalformed", { ...closes, details: ["One Host header is required"] });
  if (raw.httpVersion === "1.1" && headers.expect !== undefined && !expectsContinue(headers.expect))
    return new RequestRefused("expectationFailed", closes);
  return headers["transfer-encoding"] === undefined
    ? undefined
    : whyNotCoded(headers["transfer-encoding"], raw.httpVersion);
}

/** Unless it is chunked at last, nobody can tell where a body ends; what else was done to it, nobody here undoes. */
function whyNotCoded(codings: string, httpVersion: string): RequestRefused | undefined {
  const [last, ...others] = codings
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .toReversed();
  if (last !== "chunked" || httpVersion !== "1.1") return new RequestRefused("requestMalformed", closes);
  return others.length === 0 ? undefined : new RequestRefused("transferCodingUnknown", closes);
}

export function expectsContinue(expect: string | undefined): boolean {
  return expect?.trim().toLowerCase() === "100-continue";
}

/** Node keeps the first of several. Names and values alternate. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === "host") count += 1;
  }
  return count;
}
