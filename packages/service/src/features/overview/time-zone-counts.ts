import { RecordStatus } from "@gatehouse-parking/contract";
import type { Statement } from "../../core/database/pipeline.js";
import { dayNumber } from "../../core/local-days/note-changes.js";
import type { Outcome } from "../../core/imports/judge/decision.js";
import type { Run } from "../../core/imports/run.js";
import type { RunDetails } from "../../core/imports/history/run-details-sweep.js";

/**
 * Every import counts transactions whose dates look like local times that were sent as UTC, by key and location. A single record
 * does not show it. time-zone-warnings.ts evaluates the counts, which are stored in the table clock_counts.
 */
const graceMs = 5 * 60_000;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const maxExamples = 3;
/** Not counted, because some partners date reservations by the arrival. */
const reservation = 4;
/** Stands for the key of files that are uploaded in the console. */
export const noKey = "00000000-0000-0000-0000-000000000000";

/** They are kept a little longer than time-zone-warnings.ts reads. */
export const clockSigns: RunDetails = {
  table: "clock_signs",
  key: ["api_key_id", "location_id", "day"],
  age: "day",
  lowestAt: (moment) => moment.toISOString().slice(0, 10),
  days: 31,
};

interface Counts {
  location_id: string;
  sampled: number;
  future: number;
  stored_nights: number;
  written_nights: number;
  /** Days since 1970 by the local calendar. */
  first_day: number;
  last_day: number;
  offset_seconds: number;
  future_examples: string[];
  night_examples: string[];
}

const counted = `json_to_recordset($4) as counted (
    location_id uuid, sampled bigint, future bigint, stored_nights bigint, written_nights bigint,
    first_day integer, last_day integer, offset_seconds integer, future_examples uuid[], night_examples uuid[]
  )`;

/** Two statements, because Citus cannot send `on conflict do update` with a query to a shard. */
const createRows = `
  insert into clock_signs (
    organization_id, api_key_id, location_id, day, sampled, future, stored_nights, written_nights,
    first_day, last_day, offset_seconds, future_examples, night_examples
  )
  select $1::uuid, $2::uuid, location_id, $3::date, 0, 0, 0, 0, first_day, last_day, offset_seconds, '{}', '{}'
  from ${counted}
  on conflict do nothing`;

const addCounts = `
  update clock_signs as stored
  set sampled = stored.sampled + counted.sampled, future = stored.future + counted.future,
      stored_nights = stored.stored_nights + counted.stored_nights,
      written_nights = stored.written_nights + counted.written_nights,
      first_day = least(stored.first_day, counted.first_day),
      last_day = greatest(stored.last_day, counted.last_day), offset_seconds = counted.offset_seconds,
      future_examples = case when counted.future > 0 then counted.future_examples else stored.future_examples end,
      night_examples = case when counted.stored_nights > 0 then counted.night_examples else stored.night_examples end
  from ${counted}
  where stored.organization_id = $1 and stored.api_key_id = $2 and stored.location_id = counted.location_id
    and stored.day = $3`;

/** Statements for the transaction of the import. */
export function timeZoneStatements(run: Run, outcomes: readonly Outcome[]): Statement[] {
  const { organizationId, createdAt } = run.identity;
  const counts = countByLocation(outcomes, Date.parse(createdAt));
  if (counts.length === 0) return [];
  const day = createdAt.slice(0, 10);
  const values = [organizationId, run.origin.apiKeyId ?? noKey, day, JSON.stringify(counts)];
  return [
    { name: "create-time-zone-counts", text: createRows, values },
    { name: "add-time-zone-counts", text: addCounts, values },
  ];
}

function countByLocation(outcomes: readonly Outcome[], arrivedMs: number): Counts[] {
  const byLocation = new Map<string, Counts>();
  for (const outcome of outcomes) {
    if (outcome.status !== RecordStatus.Created) continue;
    const { uuid, type, location } = outcome;
    const { id, utcOffsetSeconds, localTime } = location ?? {};
    if (id === undefined || utcOffsetSeconds === undefined || localTime === undefined) continue;
    const localDay = dayNumber(localTime);
    let counts = byLocation.get(id);
    if (!counts) byLocation.set(id, (counts = noCounts(id, localDay)));
    const offsetMs = utcOffsetSeconds * 1000;
    const momentMs = localTime - offsetMs;
    const aheadMs = momentMs - arrivedMs;
    counts.sampled += 1;
    counts.offset_seconds = utcOffsetSeconds;
    counts.first_day = Math.min(counts.first_day, localDay);
    counts.last_day = Math.max(counts.last_day, localDay);
    if (type !== reservation && aheadMs > graceMs && aheadMs <= offsetMs + graceMs) {
      counts.future += 1;
      keep(counts.future_examples, uuid);
    }
    if (isNight(momentMs)) counts.written_nights += 1;
    if (isNight(localTime)) {
      counts.stored_nights += 1;
      keep(counts.night_examples, uuid);
    }
  }
  // All imports lock the rows in this order, which prevents deadlocks.
  return [...byLocation.values()].toSorted((one, other) => (one.location_id < other.location_id ? -1 : 1));
}

function noCounts(locationId: string, localDay: number): Counts {
  return {
    location_id: locationId,
    sampled: 0,
    future: 0,
    stored_nights: 0,
    written_nights: 0,
    first_day: localDay,
    last_day: localDay,
    offset_seconds: 0,
    future_examples: [],
    night_examples: [],
  };
}

/** From 01:00 to 05:00. */
function isNight(ms: number): boolean {
  const hour = Math.floor(ms / hourMs) - 24 * Math.floor(ms / dayMs);
  return hour >= 1 && hour <= 4;
}

function keep(examples: string[], id: string): void {
  if (examples.length < maxExamples) examples.push(id);
}
