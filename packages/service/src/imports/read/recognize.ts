import type pg from "pg";
import { describeError } from "../../database/sqlstate.js";
import type { Batch } from "../../json/read-body.js";
import type { Span } from "@gatehouse-parking/json-text";
import { YieldBudget } from "../../scheduling/yield-budget.js";
import { findStored } from "../look-up/find-stored.js";
import type { ResourceDefinition } from "../resources.js";
import type { Run } from "../run.js";
import { isUsableKey, takeFingerprint, type Replay } from "./submitted.js";

/**
 * Recognizes replays. A record that came before, byte for byte, need not be read again: its key is guessed from its
 * text, and the fingerprint of what is stored under that key proves both that the guess is right and that the record
 * is the same. No lock is needed: the transaction asks once more whether what was recognized is still there
 * (replays-gone.ts). Whatever is not recognized goes the usual way.
 */
export async function recognize(pool: pg.Pool, run: Run, batch: Batch): Promise<Replay[]> {
  if (batch.items.length < minRecords) return [];
  const ask = (from: number, to: number) =>
    recognizeBetween(pool, run.identity.organizationId, run.resource, batch, from, to);
  try {
    // Whether a batch came before shows in its first record, so a new one costs one question about one key.
    const first = await ask(0, 1);
    if (first.length === 0) return [];
    return [...first, ...(await ask(1, batch.items.length))];
  } catch (error) {
    run.log.warn(describeError(error), "no replay could be recognized");
    return [];
  }
}

/** A record that comes alone is read sooner than it is asked about. */
const minRecords = 2;

async function recognizeBetween(
  pool: pg.Pool,
  organizationId: string,
  resource: ResourceDefinition,
  { text, items }: Batch,
  from: number,
  to: number,
): Promise<Replay[]> {
  const guesses: { position: number; key: string; fingerprint: string }[] = [];
  const budget = new YieldBudget();
  for (let position = from; position < to; position += 1) {
    const { start, end } = items[position] as Span;
    const record = text.slice(start, end);
    const key = guessKey(record, resource.keyField);
    if (key !== undefined) guesses.push({ position, key, fingerprint: takeFingerprint(record) });
    if (budget.isSpent) await budget.giveWay();
  }
  const found = await findStored(pool, organizationId, resource, new Set(guesses.map(({ key }) => key)));
  return guesses.flatMap(({ position, key, fingerprint }) => {
    const stored = found.get(key);
    return stored?.fingerprint === fingerprint ? [{ position, reference: key, key, stored }] : [];
  });
}

/** The first string that follows the name of the key, wherever in the record that is. */
function guessKey(record: string, name: string): string | undefined {
  const nameAt = record.indexOf(`"${name}"`);
  if (nameAt === -1) return undefined;
  const start = record.indexOf('"', nameAt + name.length + 2) + 1;
  const end = record.indexOf('"', start);
  const key = record.slice(start, end);
  return start > 0 && isUsableKey(key) ? key : undefined;
}
