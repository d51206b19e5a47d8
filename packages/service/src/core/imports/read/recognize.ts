import type pg from "pg";
import { TimeSlice } from "../../scheduling/time-slice.js";
import type { Statement } from "../../database/pipeline.js";
import { findStoredStatements } from "../look-up/look-up.js";
import type { StoredRecord } from "../look-up/lookup-result.js";
import type { Run } from "../run.js";
import type { UnreadBatch } from "./envelope.js";
import { isCandidate, isUsableKey, fingerprintOf, type Replay, type Submitted } from "./read-records.js";

export interface RecognizedReplays {
  replays: readonly Replay[];
  /** By position; undefined where the key was not found. */
  fingerprints: readonly (string | undefined)[];
}

export const nothingRecognized: RecognizedReplays = { replays: [], fingerprints: [] };

/**
 * Recognizes records that are resent byte for byte, without parsing them. The key is guessed from the text; if the
 * fingerprint of the stored record with that key is equal, the guess was right and the record is the same. The transaction
 * checks again that these records are stored (expectReplaysStored), so no lock is needed here.
 */
export async function recognize(pool: pg.Pool, run: Run, batch: UnreadBatch): Promise<RecognizedReplays> {
  if (batch.items.length < minRecords) return nothingRecognized;
  const fingerprints: string[] = [];
  const guesses: { position: number; key: string }[] = [];
  const budget = new TimeSlice();
  for (const [position, { start, end }] of batch.items.entries()) {
    const text = batch.textOf(position).slice(start, end);
    const key = guessKey(text, run.resource.keyField);
    if (key !== undefined) {
      guesses.push({ position, key });
      fingerprints[position] = fingerprintOf(text);
    }
    if (budget.isSpent) await budget.giveWay();
  }
  const [first] = guesses;
  if (first === undefined) return { replays: [], fingerprints };
  try {
    const found = new Map<string, StoredRecord>();
    // A new batch costs only the look-up of its first key.
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
    run.log.warn({ err: error }, "replay recognition failed");
    return { replays: [], fingerprints };
  }
}

/** Parsing a single record is faster than a query. */
const minRecords = 2;

/** The first string after the name of the key field, anywhere in the record. */
function guessKey(record: string, name: string): string | undefined {
  const nameAt = record.indexOf(`"${name}"`);
  if (nameAt === -1) return undefined;
  const start = record.indexOf('"', nameAt + name.length + 2) + 1;
  const end = record.indexOf('"', start);
  const key = record.slice(start, end);
  return start > 0 && isUsableKey(key) ? key : undefined;
}

/** Recognized replays are no longer stored. */
export class StaleReplaysError extends Error {
  override name = "StaleReplaysError";
}

/**
 * Checks under the organization's lock that recognized replays are still stored. Since they were recognized, a failover may
 * have lost the last commits, or the run that created them may have been undone. Lateral for the reason given at
 * findStoredStatements.
 */
export function expectReplaysStored({ identity, resource }: Run, records: readonly Submitted[]): Statement[] {
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
      if (rows[0]?.count !== ids.size) throw new StaleReplaysError("Recognized replays are no longer stored");
    },
  };
  return [statement];
}
