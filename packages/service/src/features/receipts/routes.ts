import { receiptKeysPath, type ReceiptKeySet } from "@gatehouse-parking/contract";
import type { FastifyInstance } from "fastify";
import type pg from "pg";
import { Refused } from "../../core/refusals/refused.js";
import { secureOrLocal } from "../../core/server/https-only.js";
import { listReceiptKeys } from "./receipt-keys.js";

/** How long an answer is kept. Anyone may ask, so all who ask share it. */
const freshMs = 10_000;
/** An empty set is kept for less: whoever gets the first receipt will ask for its key. */
const noneFreshMs = 1_000;
/** How long others may keep the set. Whoever meets a key that is not in it should ask again. */
const maxAgeSeconds = 300;

/** The public keys of receipts, all that there ever were: RFC 7517. They are there as soon as there is a key. */
export async function receiptKeyRoutes(app: FastifyInstance, { pool }: { pool: pg.Pool }): Promise<void> {
  let known: { text: string; atMs: number } | undefined;
  let asking: Promise<string> | undefined;

  async function ask(): Promise<string> {
    const atMs = performance.now();
    const set: ReceiptKeySet = { keys: await listReceiptKeys(pool) };
    known = { text: set.keys.length === 0 ? "" : JSON.stringify(set), atMs };
    return known.text;
  }

  app.addHook("onRequest", secureOrLocal);
  app.get(
    receiptKeysPath,
    { config: { access: "public", quiet: true }, schema: { hide: true } },
    async (_request, reply) => {
      const isFresh =
        known !== undefined && performance.now() - known.atMs < (known.text === "" ? noneFreshMs : freshMs);
      if (!isFresh)
        asking ??= ask().finally(() => {
          asking = undefined;
        });
      const text = isFresh ? known?.text : await asking;
      if (!text) throw new Refused("notFound");
      void reply.header("cache-control", `public, max-age=${maxAgeSeconds}`);
      return reply.type("application/jwk-set+json").send(text);
    },
  );
}
