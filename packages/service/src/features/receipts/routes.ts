import { receiptKeysPath, type ReceiptKeySet } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { Refused } from "../../core/refusals/refused.js";
import { secureOrLocal } from "../../core/server/https-only.js";
import { listReceiptKeys } from "./receipt-keys.js";

/** All requests share one answer for this long, because the route is public. */
const cacheMs = 10_000;
/** Shorter for an empty set, because the client that gets the first receipt will ask for its key. */
const emptyCacheMs = 1_000;
/** How long clients may cache the key set. */
const maxAgeSeconds = 300;

/** Publishes the current and all retired public keys as a JSON Web Key Set (RFC 7517). */
export async function receiptKeyRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  let cached: { text: string; atMs: number } | undefined;
  let reading: Promise<string> | undefined;

  async function read(): Promise<string> {
    const atMs = performance.now();
    const set: ReceiptKeySet = { keys: await listReceiptKeys(pool) };
    cached = { text: set.keys.length === 0 ? "" : JSON.stringify(set), atMs };
    return cached.text;
  }

  app.addHook("onRequest", secureOrLocal);
  app.get(
    receiptKeysPath,
    { config: { access: "public", quiet: true }, schema: { hide: true } },
    async (_request, reply) => {
      const isFresh =
        cached !== undefined &&
        performance.now() - cached.atMs < (cached.text === "" ? emptyCacheMs : cacheMs);
      if (!isFresh)
        reading ??= read().finally(() => {
          reading = undefined;
        });
      const text = isFresh ? cached?.text : await reading;
      if (!text) throw new Refused("notFound");
      void reply.header("cache-control", `public, max-age=${maxAgeSeconds}`);
      return reply.type("application/jwk-set+json").send(text);
    },
  );
}
