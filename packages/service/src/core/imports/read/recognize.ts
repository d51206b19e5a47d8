import type pg from "pg";
import { TimeSlice } from "../../scheduling/time-slice.js";
import type { Statement } from "../../database/pipeline.js";
import { findStoredStatements } from "../look-up/look-up.js";
import type { StoredRecord } from "../look-up/lookup-result.js";
import type { Run } from "../run.js";
import type { UnreadBatch } from "./envelope.js";
import { isCandidate, isUsableKey, takeFingerprint, type Replay, type Submitted } from "./read-records.js";

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
 * (expectStored). Whatever is not recognized goes the usual way.
 */
export async function recognize(pool: pg.Pool, run: Run, batch: UnreadBatch): Promise<Recognized> {
  if (batch.items.length < minRecords) return nothingRecognized;
  const fingerprints: string[] = [];
  const guesses: { position: number; key: string }[] = [];
  const budget = new TimeSlice();
  for (const [position, { start, end }] of batch.items.entries()) {
    const text = batch.textOf(position).slice(start, end);
    const key = guessKey(text, run.resource.keyField);
    if (key !== undefined) {
      guesses.push({ position, key });
      fingerprints[position] = takeFingerprint(text);
    }
    if (budget.isSpent) await budget.giveWay();
  }
  const [first] = guesses;
  if (first === undefined) return { replays: [], fingerprints };
  try {
    const found = new Map<string, StoredRecord>();
    // Whether a batch came before shows in its first record, so a new one costs the database one look at one key.
    const [{ take, ...statement }] = findStoredStatements(
      run.identity.organizationId,
      run.resource,
      new Set(guesses.map(({ key }) => key)),
      found,
      { provided: first.key },
    ) as [Statement];
    take?.(await pool.query(statement as pg.QueryConfig));
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

/** The first string that follows the name of the key, wherever in the record that is. */
function guessKey(record: string, name: string): string | undefined {
  const nameAt = record.indexOf(`"${name}"`);
  if (nameAt === -1) return undefined;
  const start = record.indexOf('"', nameAt + name.length + 2) + 1;
  const end = record.indexOf('"', start);
  const key = record.slice(start, end);
  return start > 0 && isUsableKey(key) ? key : undefined;
}

/** Records that were recognized as stored are not stored where the run is. */
export class ReplaysGone extends Error {
  override name = "ReplaysGone";
}

/**
 * Replays are recognized before the transaction, perhaps by another server: between the two there can be a failover that
 * lost the last commits, and the run that created them can be taken back. So every attempt asks the server that it stores
 * on for what it is about to call stored: once, behind the organization's lock, and only whether it is there. By a lateral
 * join, for the reason given at findStoredStatements.
 */
export function expectStored({ identity, resource }: Run, records: readonly Submitted[]): Statement[] {
  const ids = new Set(records.flatMap((record) => (isCandidate(record) ? [] : record.stored.id)));
  if (ids.size === 0) return [];
  const statement: Statement = {
    name: `count-${resource.name}`,
    text: `
      select count(*)::int as count
      from json_array_elements_text($2) as wanted (id)
      cross join lateral (
        select from ${resource.name} where organization_id = $1 and id = wanted.id::uuid limit 1
      ) as found`,
    values: [identity.organizationId, JSON.stringify([...ids])],
    take: ({ rows }) => {
      if (rows[0]?.count !== ids.size)
        throw new ReplaysGone("Records that were recognized as stored are gone");
    },
  };
  return [statement];
}
