import type pg from "pg";
import type { Batch } from "../../json/read-body.js";
import { TimeSlice } from "../../scheduling/time-slice.js";
import { findStoredStatements } from "../look-up/find-stored.js";
import type { StoredRecord } from "../look-up/world.js";
import type { Run } from "../run.js";
import { isUsableKey, takeFingerprint, type Replay } from "./submitted.js";

/** What is known of a batch before it is read: which of its records came before, and the fingerprints that were taken. */
export interface Recognized {
  replays: readonly Replay[];
  /** By position; none where the key of a record could not be guessed. */
  fingerprints: readonly (string | undefined)[];
}

export const nothingRecognized: Recognized = { replays: [], fingerprints: [] };

/**
 * Recognizes replays. A record that came before, byte for byte, need not be read again: its key is guessed from its
 * text, and the fingerprint of what is stored under that key proves both that the guess is right and that the record
 * is the same. No lock is needed: the transaction asks once more whether what was recognized is still there
 * (replays-gone.ts). Whatever is not recognized goes the usual way.
 */
export async function recognize(pool: pg.Pool, run: Run, batch: Batch): Promise<Recognized> {
  if (batch.items.length < minRecords) return nothingRecognized;
  const fingerprints: string[] = [];
  const guesses: { position: number; key: string }[] = [];
  const budget = new TimeSlice();
  for (const [position, { start, end }] of batch.items.entries()) {
    const text = batch.text.slice(start, end);
    const key = guessKey(text, run.resource.keyField);
    if (key !== undefined) {
      guesses.push({ position, key });
      fingerprints[position] = takeFingerprint(text);
    }
    if (budget.isSpent) await budget.giveWay();
  }
  try {
    const found = await findUnlessNew(
      pool,
      run,
      guesses.map(({ key }) => key),
    );
    const replays = guesses.flatMap(({ position, key }) => {
      const stored = found.get(key);
      return stored && stored.fingerprint === fingerprints[position]
        ? [{ position, reference: key, key, stored }]
        : [];
    });
    return { replays, fingerprints };
  } catch (error) {
    run.log.warn({ err: error }, "no replay could be recognized");
    return { replays: [], fingerprints };
  }
}

/** Reading a single record takes less time than asking whether it came before. */
const minRecords = 2;

/** Whether a batch came before shows in its first record, so a new one costs the database one look at one key. */
async function findUnlessNew(
  pool: pg.Pool,
  { identity: { organizationId }, resource }: Run,
  keys: readonly string[],
): Promise<Map<string, StoredRecord>> {
  const found = new Map<string, StoredRecord>();
  const [first] = keys;
  if (first === undefined) return found;
  const statements = findStoredStatements(organizationId, resource, new Set(keys), found, {
    provided: first,
  });
  for (const { take, ...statement } of statements) take?.(await pool.query(statement as pg.QueryConfig));
  return found;
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
