import { randomInt } from "node:crypto";
import type { FastifyInstance } from "fastify";
import inject from "light-my-request";
import type { SampleRun } from "@gatehouse-parking/contract/console";
import type { PlannedRequest, PlannedSample } from "./planned-sample.js";
import { shorten, toShownRequest } from "./samples.js";
import type { SandboxKeys } from "./sandbox-keys.js";

const shownHeaders = [
  "content-type",
  "retry-after",
  "allow",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
];
const brokenKey = "not-a-key";

/**
 * Sends a sample through the whole of the live service, from its first hook to its last byte, only not over a wire.
 * So the answer is what a partner would get, stored records included.
 */
export async function runSample(
  app: FastifyInstance,
  sample: PlannedSample,
  keys: SandboxKeys,
): Promise<SampleRun> {
  // Leads are limited by address. An address of the documentation range keeps rounds apart from each other and from
  // whoever is looking at the page.
  const remoteAddress = `192.0.2.${randomInt(1, 255)}`;
  const exchanges: SampleRun["exchanges"] = [];
  for (const request of sample.requests) exchanges.push(await exchange(app, request, keys, remoteAddress));
  return { exchanges };
}

async function exchange(
  app: FastifyInstance,
  request: PlannedRequest,
  keys: SandboxKeys,
  remoteAddress: string,
): Promise<SampleRun["exchanges"][number]> {
  const key = { full: keys.full.key, limited: keys.limited.key, broken: brokenKey, none: undefined }[
    request.key
  ];
  const startedMs = performance.now();
  const answer = await inject(
    (raw, response) => {
      // What never leaves the process is as good as encrypted.
      if (request.isSecure) Object.assign(raw.socket, { encrypted: true });
      app.routing(raw, response);
    },
    {
      method: request.method,
      url: request.path,
      headers: { ...request.headers, ...(key === undefined ? {} : { "x-api-key": key }) },
      ...(request.body === null ? {} : { payload: request.body + " ".repeat(request.trailingSpaces) }),
      remoteAddress,
    },
  );
  const headers = Object.entries(answer.headers).filter(([name]) => shownHeaders.includes(name));
  return {
    request: toShownRequest(request, {
      full: `${keys.full.prefix}...`,
      limited: `${keys.limited.prefix}...`,
      broken: brokenKey,
      none: undefined,
    }),
    answer: {
      status: answer.statusCode,
      headers: Object.fromEntries(headers.map(([name, value]) => [name, String(value)])),
      body: shorten(answer.body),
    },
    durationMs: Math.round(performance.now() - startedMs),
  };
}
