import { permissions } from "@gatehouse-parking/contract";
import type { Sample, SampleRequest, SampleRun } from "@gatehouse-parking/contract/console";
import type { FastifyInstance } from "fastify";
import inject from "light-my-request";
import { randomInt } from "node:crypto";
import type pg from "pg";
import { nowMs } from "../../core/clock.js";
import { createApiKey, type ApiKeyInput, type NewApiKey } from "../../core/organizations/api-keys.js";
import { withKey } from "./sample-requests.js";

const shownHeaders = [
  "content-type",
  "retry-after",
  "allow",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-request-id",
];
const maxShownCharacters = 4_000;
export const invalidKey = "not-a-key";

export interface SandboxKeys {
  full: NewApiKey;
  limited: NewApiKey;
}

/** Sends the requests of a sample through the running service without a network, so partners get the same answers. */
export async function runSample(app: FastifyInstance, sample: Sample, keys: SandboxKeys): Promise<SampleRun> {
  // Leads are limited by client address. A random one of the documentation range gives each run its own limit.
  const remoteAddress = `192.0.2.${randomInt(1, 255)}`;
  const exchanges: SampleRun["exchanges"] = [];
  for (const request of sample.requests) exchanges.push(await send(app, request, keys, remoteAddress));
  return { exchanges };
}

async function send(
  app: FastifyInstance,
  request: SampleRequest,
  { full, limited }: SandboxKeys,
  remoteAddress: string,
): Promise<SampleRun["exchanges"][number]> {
  const { headers } = withKey(request, {
    full: full.key,
    limited: limited.key,
    broken: invalidKey,
    none: undefined,
  });
  const startedMs = performance.now();
  const answer = await inject(
    (raw, response) => {
      // A request inside the process counts as HTTPS.
      if (request.isSecure) Object.assign(raw.socket, { encrypted: true });
      app.routing(raw, response);
    },
    {
      method: request.method,
      url: request.path,
      headers,
      ...(request.body === null ? {} : { payload: request.body + " ".repeat(request.trailingSpaces) }),
      remoteAddress,
    },
  );
  const shown = Object.entries(answer.headers).filter(([name]) => shownHeaders.includes(name));
  return {
    request: withKey(request, {
      full: `${full.prefix}...`,
      limited: `${limited.prefix}...`,
      broken: invalidKey,
      none: undefined,
    }),
    answer: {
      status: answer.statusCode,
      headers: Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
      body: shorten(answer.body),
    },
    durationMs: Math.round(performance.now() - startedMs),
  };
}

function shorten(text: string): string {
  if (text.length <= maxShownCharacters) return text;
  return `${text.slice(0, maxShownCharacters)}\n... ${text.length.toLocaleString("en")} characters in total`;
}

const keyLifetimeMs = 5 * 60_000;
/** A key that is about to expire is replaced. */
const marginMs = 30_000;

/** Creates API keys for the samples, because stored keys cannot be read. They expire after minutes. */
export class SandboxKeyCache {
  readonly #keys = new Map<string, { keys: SandboxKeys; untilMs: number }>();

  async get(pool: pg.Pool, organizationId: string, actor: ApiKeyInput["actor"]): Promise<SandboxKeys> {
    const cached = this.#keys.get(organizationId);
    if (cached && performance.now() < cached.untilMs) return cached.keys;
    const common = { organizationId, expiresAt: new Date(nowMs() + keyLifetimeMs), actor };
    const keys = {
      full: await createApiKey(pool, { ...common, name: "Sandbox", permissions }),
      limited: await createApiKey(pool, {
        ...common,
        name: "Sandbox, read-only",
        permissions: ["imports:read"],
      }),
    };
    this.#keys.set(organizationId, { keys, untilMs: performance.now() + keyLifetimeMs - marginMs });
    return keys;
  }
}
